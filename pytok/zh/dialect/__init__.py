"""Words of dialects and what Mandarin has for them: the tables, and own ones."""

from pytok.zh.dialect._contexts import read_contexts
from pytok.zh.dialect._table import REGIONS, DialectEntry, read_table, table

__all__ = ["REGIONS", "DialectEntry", "read_contexts", "read_table", "table"]
