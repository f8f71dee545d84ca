"""Tokenizer toolkit for Chinese: load any tokenizer exactly, encode fast, measure honestly.

Examples
--------
>>> import pytok
>>> tokenizer = pytok.Tokenizer.from_pretrained("zh-32k")
>>> tokenizer.decode(tokenizer.encode_ids("学而时习之，不亦说乎？"))
'学而时习之，不亦说乎？'

"""

from pytok import _core_check as _core_check  # isort: split

from pytok._extend import ExtendResult, extend
from pytok._extend_report import ExtendReport, TextChange, TextDifference
from pytok._pytok import Encoding, __version__
from pytok._train import (
    TrainProgress,
    TrainReport,
    TrainResult,
    WordCounts,
    count_words,
    train,
)
from pytok._train_config import TrainConfig
from pytok.added_token import AddedToken
from pytok.errors import (
    ConfigError,
    CorpusError,
    EncodeError,
    ExportError,
    FormatError,
    PytokError,
    TokenizerNotFoundError,
    VocabError,
)
from pytok.exporting import ExportReport, export
from pytok.pruning import (
    DynamicVocab,
    LogitsReport,
    PrunePlan,
    PruneReport,
    PruneResult,
    prune,
    prune_vocabulary,
    slice_head,
)
from pytok.stream import DecodeStream
from pytok.tokenizer import Tokenizer

__all__ = [
    "AddedToken",
    "ConfigError",
    "CorpusError",
    "DecodeStream",
    "DynamicVocab",
    "EncodeError",
    "Encoding",
    "ExportError",
    "ExportReport",
    "ExtendReport",
    "ExtendResult",
    "FormatError",
    "LogitsReport",
    "PrunePlan",
    "PruneReport",
    "PruneResult",
    "PytokError",
    "TextChange",
    "TextDifference",
    "Tokenizer",
    "TokenizerNotFoundError",
    "TrainConfig",
    "TrainProgress",
    "TrainReport",
    "TrainResult",
    "VocabError",
    "WordCounts",
    "__version__",
    "count_words",
    "export",
    "extend",
    "prune",
    "prune_vocabulary",
    "slice_head",
    "train",
]
