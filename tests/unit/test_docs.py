"""Every example in the pages of docs/ is run and must show what it says."""

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
# Pages that need files, and have a test of their own.
APART = ("shrink-a-vocabulary",)
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


def examples(page):
    """Keep the Python blocks, on their own lines, so that a failure names the line."""
    kept, inside = [], False
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            inside = line == "```python"
            kept.append("")
        else:
            kept.append(line if inside else "")
    return "\n".join(kept) + "\n"


@pytest.mark.parametrize(
    "page", [page for page in PAGES if page.stem not in APART], ids=lambda page: page.stem
)
def test_examples_are_true(page):
    name = str(page.relative_to(DOCS))
    test = doctest.DocTestParser().get_doctest(examples(page), {}, name, str(page), 0)
    outcome = doctest.DocTestRunner().run(test)
    assert outcome.failed == 0
    assert outcome.attempted > 0 or page.parent == DOCS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page):
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_every_page_of_a_metric_is_linked_from_the_guide():
    guide = (DOCS / "which-number.md").read_text(encoding="utf-8")
    missing = [page.name for page in PAGES if page.parent != DOCS and page.name not in guide]
    assert not missing
