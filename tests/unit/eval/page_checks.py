"""A strict reading of a page: what a browser and a screen reader rely on."""

from __future__ import annotations

from html.parser import HTMLParser
from itertools import pairwise

VOID = {"meta", "br", "hr", "img", "input", "link", "area", "base", "col", "embed", "source", "wbr"}
ADDRESSES = {"href", "src", "srcset", "xlink:href", "action", "data", "poster"}


class Page(HTMLParser):
    """Elements of a page in order, checked while they are read."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.style = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        assert len(dict(attrs)) == len(attrs), f"an attribute twice in {tag}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def all(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.elements if tag in tags]

    def values(self, name: str) -> list[str]:
        return [attributes[name] for _, attributes in self.elements if attributes.get(name)]


def check_alone(page: Page) -> None:
    """The page runs nothing and loads nothing."""
    assert not page.all("script", "iframe", "object", "embed", "link", "img", "base", "form")
    for tag, attributes in page.elements:
        for name, value in attributes.items():
            assert not name.startswith("on"), (tag, name)
            if name in ADDRESSES:
                assert value.startswith("#"), (tag, name, value)
            assert "url(" not in (value or "").replace("url(#", ""), (tag, name, value)
    assert "url(" not in page.style
    assert "@import" not in page.style
    policy = [meta["content"] for meta in page.all("meta") if "http-equiv" in meta]
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'"]


def check_accessible(page: Page) -> None:
    """Headings nest, tables have scopes, references lead somewhere, and so on."""
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    targets = [value[1:] for value in page.values("href") + page.values("xlink:href")]
    assert set(targets) | set(page.values("aria-labelledby")) <= set(ids)
    assert page.all("html")[0]["lang"] == "en"
    levels = [int(tag[1]) for tag, _ in page.elements if tag in ("h1", "h2", "h3", "h4", "h5")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all(cell.get("scope") for cell in page.all("th"))
    assert len(page.all("main")) == len(page.all("nav")) == 1
    assert page.all("a")[0] == {"class": "skip", "href": "#main"}
    assert len(page.all("details")) == len(page.all("summary"))
    for attributes in page.all("div"):
        if "scroll" in (attributes.get("class") or "").split():
            assert attributes["tabindex"] == "0"
            assert attributes["role"] == "region"
            assert attributes["aria-label"]
        if attributes.get("class") == "drawing":
            assert attributes["role"] == "img"
            assert attributes["aria-label"]
