from pytok.hf import PytokTokenizer  # noqa: F401
