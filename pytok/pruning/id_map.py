"""Files of an id map."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pytok._written import written

__all__ = ["ID_MAP_JSON", "ID_MAP_NPY", "write_id_map"]

ID_MAP_JSON = "id_map.json"
ID_MAP_NPY = "id_map.npy"


def write_id_map(id_map: Mapping[int, int], folder: Path) -> None:
    """Write ``id_map.json`` and ``id_map.npy`` into a folder, each whole or not at all.

    Raises
    ------
    ExportError
        When a file cannot be written.

    """
    pairs = sorted(id_map.items(), key=lambda pair: pair[1])
    stream = io.BytesIO()
    array = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    np.save(stream, array, allow_pickle=False)
    text = json.dumps({str(old): new for old, new in pairs})
    for name, content in ((ID_MAP_JSON, text.encode()), (ID_MAP_NPY, stream.getvalue())):
        with written(folder / name) as file:
            file.write(content)
