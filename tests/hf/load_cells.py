"""Load folders, each in a process of its own: ``python load_cells.py CELLS OUT``.

A cell is ``{"folder": ..., "text": ..., "register": bool, "trust": bool}``. Processes
are forked from one that has imported transformers and nothing of pytok, so that a
registration in one cell is not seen in the next.
"""

import json
import os
import sys
import traceback
from pathlib import Path

import transformers


def load(cell):
    if cell["register"]:
        import pytok.hf  # noqa: F401
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(
            cell["folder"], trust_remote_code=cell["trust"]
        )
    except (ValueError, OSError) as error:
        return {"error": type(error).__name__, "message": str(error)}
    return {"class": type(tokenizer).__name__, "ids": tokenizer(cell["text"])["input_ids"]}


def apart(cell):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(load(cell)).encode())
        except BaseException:
            os.write(writing, json.dumps({"error": traceback.format_exc()}).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        content = answer.read()
    os.waitpid(child, 0)
    return json.loads(content)


if __name__ == "__main__":
    # Imported once rather than in every process.
    assert transformers.AutoTokenizer and transformers.PreTrainedTokenizerFast
    transformers.logging.set_verbosity_error()
    cells, out = map(Path, sys.argv[1:])
    # transformers prints to the standard output.
    out.write_text(json.dumps([apart(cell) for cell in json.loads(cells.read_text())]))
