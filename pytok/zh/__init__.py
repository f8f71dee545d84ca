"""Chinese normalisation that keeps the way back to the original text.

A `Pipeline` is a list of named steps. Each rewrites its text and keeps the
alignment, so that a span of the result points into the original, whatever was
done before. Nothing is normalised unless it is asked for.

Examples
--------
>>> from pytok import zh
>>> normalized = zh.normalize("Ａ４紙", steps=["width"])
>>> normalized.text, normalized.alignment.to_original((0, 2))
('A4紙', (0, 2))
>>> normalized.denormalize()
'Ａ４紙'

"""

from pytok._pytok import Alignment
from pytok.zh._normalized import Edit, Normalized, Report, StepReport
from pytok.zh._pipeline import Pipeline, normalize
from pytok.zh._presets import PRESETS
from pytok.zh._steps import STEPS, Step

__all__ = [
    "PRESETS",
    "STEPS",
    "Alignment",
    "Edit",
    "Normalized",
    "Pipeline",
    "Report",
    "Step",
    "StepReport",
    "normalize",
]
