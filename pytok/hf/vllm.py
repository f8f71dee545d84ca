"""vLLM's tokenizer mode ``pytok``: what it loads is a `PytokTokenizer`, whatever a folder says.

Nothing of vLLM is imported before vLLM itself.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

from pytok.hf.tokenizer import PytokTokenizer

__all__ = ["PytokForVllm", "register_mode"]

MODE = "pytok"
# The packages have moved; the first that there is holds the registries.
_PLACES = ("vllm.frontend.processing.", "vllm.")


def register_mode() -> None:
    """Register the mode, and vLLM's own renderer for it; nothing without vLLM."""
    if "vllm" not in sys.modules:
        return
    tokenizers = _attribute("tokenizers.registry", "TokenizerRegistry")
    if tokenizers is None or _has(tokenizers, "tokenizers"):
        return
    tokenizers[1].register(MODE, __name__, PytokForVllm.__name__)
    renderers = _attribute("renderers.registry", "RENDERER_REGISTRY")
    # Earlier versions choose no renderer by the mode.
    if renderers is not None and not _has(renderers, "renderers"):
        renderers[1].register(MODE, f"{renderers[0]}renderers.hf", "HfRenderer")


class PytokForVllm:
    """What vLLM asks for a tokenizer in the mode ``pytok``.

    Embedded names, tokenizer files and folders of every model type load with the
    right ids, without ``trust_remote_code``.
    """

    @classmethod
    def from_pretrained(
        cls,
        path_or_repo_id: Any,
        *args: Any,
        trust_remote_code: bool = False,
        revision: str | None = None,
        download_dir: str | None = None,
        **kwargs: Any,
    ) -> Any:
        """Load as `PytokTokenizer.from_pretrained`, with vLLM's cache around it.

        Parameters
        ----------
        path_or_repo_id, args, kwargs
            As there.
        trust_remote_code
            Not needed: no code of a folder is run.
        revision, download_dir
            For a hub id.

        """
        hub = {"revision": revision, "cache_dir": download_dir}
        kwargs |= {name: value for name, value in hub.items() if value is not None}
        tokenizer = PytokTokenizer.from_pretrained(path_or_repo_id, *args, **kwargs)
        found = _attribute("tokenizers.hf", "get_cached_tokenizer")
        return tokenizer if found is None else found[1](tokenizer)


def _attribute(module: str, name: str) -> tuple[str, Any] | None:
    """Find an attribute of vLLM, and the place where it is."""
    for place in _PLACES:
        try:
            return place, getattr(import_module(place + module), name)
        except (ImportError, AttributeError):
            continue
    return None


def _has(found: tuple[str, Any], modes: str) -> bool:
    """Whether the mode is registered: vLLM warns of a second time."""
    return MODE in (getattr(found[1], modes, None) or getattr(found[1], "REGISTRY", None) or ())
