"""What is wrong with a tokenizer folder: `examine`, `mend` (`pytok doctor`).

One check a file; what each one states about transformers was run with 4.57 and 5.24.
"""

from pytok.doctor.examination import examine, mend
from pytok.doctor.finding import Finding

__all__ = ["Finding", "examine", "mend"]
