"""Drop-in tokenizers for transformers: `PytokTokenizer`; pruning while it generates.

Importing this module registers the class with `AutoTokenizer`, which finds
classes in no other way. Needs transformers 4.57 or 5 (extra ``hf``).
"""

try:
    import transformers as _transformers
except ImportError as error:
    raise ImportError(
        "pytok.hf needs transformers, which is not installed: pip install 'pytok-tokenizers[hf]'"
    ) from error

from pytok.hf.lazy_batch import LazyBatchEncoding
from pytok.hf.logits_processor import PruneLogitsProcessor
from pytok.hf.registration import PytokConfig, register
from pytok.hf.tokenizer import PytokTokenizer

register()
del _transformers

__all__ = ["LazyBatchEncoding", "PruneLogitsProcessor", "PytokConfig", "PytokTokenizer", "register"]
