"""Model surgery: give a checkpoint the rows of another vocabulary.

`prune_model` takes the rows of the ids that a pruned tokenizer keeps,
`extend_model` adds rows for the pieces that an extended tokenizer has more.
Both read and write safetensors checkpoints a block of rows at a time, whatever
the numbers in them are, and leave the source as it is.
"""

from pytok.pruning.surgery.extend import extend_model
from pytok.pruning.surgery.prune import check_model, prune_model
from pytok.pruning.surgery.report import SurgeryReport, TensorChange

__all__ = ["SurgeryReport", "TensorChange", "check_model", "extend_model", "prune_model"]
