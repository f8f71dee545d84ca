"""Chat templates with syntax errors, or with tokens that nobody knows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from pytok.doctor.finding import TRANSFORMERS, Finding
from pytok.doctor.folder import CONFIG, SPECIAL_MAP, TOKENIZER, Folder, content_of, shown

__all__ = ["chat_template", "templates"]

# What is written as a control token and as nothing else.
_CONTROL = re.compile(
    r"<\|[^\s|<>'\"{}]{1,60}\|>|<｜[^\s｜<>'\"{}]{1,60}｜>|</?s>|<(?:start|end)_of_\w{1,30}>"
)
_FILE = "chat_template.jinja"
_LOADERS = TRANSFORMERS


def templates(folder: Folder) -> Iterator[tuple[str, str]]:
    """List the templates of a folder with the place of each."""
    found = folder.config.get("chat_template")
    for template in found if isinstance(found, list) else [{"name": "", "template": found}]:
        if isinstance(template, dict) and isinstance(template.get("template"), str):
            name = f" ({template['name']})" if template.get("name") else ""
            yield f"{CONFIG}: chat_template{name}", template["template"]
    paths = [folder.path / _FILE, *sorted(folder.path.glob("additional_chat_templates/*.jinja"))]
    for path in paths:
        if path.is_file():
            name = path.relative_to(folder.path).as_posix()
            yield name, folder.text(name)


def chat_template(folder: Folder) -> Iterator[Finding]:
    """Find what is wrong with the chat templates."""
    for where, template in templates(folder):
        yield from _syntax(where, template)
        names = sorted(set(_CONTROL.findall(template)) - set(folder.ids))
        if folder.json(TOKENIZER) and names:
            yield Finding(
                "chat-template",
                "warning",
                f"it writes {shown(names)}, not in the vocabulary: cut into pieces like any text",
                where,
                "add the tokens, or use the template that belongs to this vocabulary",
                _LOADERS,
            )
        for role in ("bos_token", "eos_token"):
            given = (folder.json(name).get(role) for name in (CONFIG, SPECIAL_MAP))
            if re.search(rf"\b{role}\b", template) and not any(map(content_of, given)):
                yield Finding(
                    "chat-template",
                    "warning",
                    f"it writes {role}, and there is none: nothing is written, or it fails",
                    where,
                    f"set {role} in {CONFIG}",
                    _LOADERS,
                )


def _syntax(where: str, template: str) -> Iterator[Finding]:
    error = _error_of(template)
    if error is not None:
        yield Finding(
            "chat-template",
            "error",
            f"apply_chat_template raises TemplateSyntaxError: {error}",
            where,
            "mend the template at that line",
            _LOADERS,
        )


def _error_of(template: str) -> str | None:
    """Say what is wrong with the syntax of a template; None without Jinja (extra ``hf``)."""
    try:
        import jinja2
        from jinja2 import ext, nodes
    except ImportError:
        return None

    class Generation(ext.Extension):
        """The block that transformers has for texts of the assistant."""

        tags = {"generation"}  # noqa: RUF012

        def parse(self, parser: Any) -> Any:
            line = next(parser.stream).lineno
            body = parser.parse_statements(("name:endgeneration",), drop_needle=True)
            return nodes.Scope(body).set_lineno(line)

    environment = jinja2.Environment(
        extensions=[Generation, "jinja2.ext.loopcontrols"], trim_blocks=True, lstrip_blocks=True
    )
    try:
        environment.parse(template)
    except jinja2.TemplateSyntaxError as error:
        return f"line {error.lineno}: {error.message}"
    except RecursionError:
        return "it is nested too deeply"
    return None
