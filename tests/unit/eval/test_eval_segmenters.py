from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytok.errors import ConfigError, FormatError
from pytok.eval import EvalConfig, Segmenter, evaluate, open_system, segmenters
from pytok.eval.double_array import DoubleArray


def double_array(words):
    """Lay words out as THULAC's files do: each new cell at the first free base."""
    cells = {0: [1, 0]}
    nodes = {"": 0}
    prefixes = sorted({word[:end] for word in words for end in range(len(word) + 1)}, key=len)
    for prefix in prefixes:
        steps = {ord(p[-1]) for p in prefixes if p and p[:-1] == prefix}
        steps |= {0} if prefix in words else set()
        base = next(b for b in range(1, 1 << 22) if not any(b + step in cells for step in steps))
        at = nodes[prefix]
        cells[at][0] = base
        for step in steps:
            cells[base + step] = [0, at]
            nodes[prefix + chr(step)] = base + step
    table = np.full((max(cells) + 1, 2), -1, dtype="<i4")
    for at, cell in cells.items():
        table[at] = cell
    return table


@given(
    st.sets(st.text("abc中国", min_size=1, max_size=4), min_size=1, max_size=12),
    st.text("abc中国", max_size=5),
)
def test_a_double_array_holds_its_words_and_no_others(words, other):
    table = double_array(words)
    found = DoubleArray(table[:, 0].astype(np.int64), table[:, 1].astype(np.int64))
    assert all(word in found for word in words)
    assert (other in found) == (other in words)


def test_a_file_that_is_no_double_array_is_named(tmp_path):
    path = tmp_path / "ns.dat"
    for content in (b"", b"1234567"):
        path.write_bytes(content)
        with pytest.raises(FormatError, match=r"ns\.dat"):
            DoubleArray.read(path)


@pytest.mark.parametrize("name", ["rjieba", "thulac", "pkuseg"])
def test_a_segmenter_that_is_not_installed_says_how_to_install_it(name, monkeypatch):
    def missing(name):
        raise ImportError(name)

    monkeypatch.setattr(segmenters, "import_module", missing)
    with pytest.raises(ConfigError, match="not installed") as caught:
        open_system(name)
    assert caught.value.hint.startswith("pip install")


def installed(monkeypatch, **modules):
    """Make these the only packages of segmenters."""

    def found(name):
        if name not in modules:
            raise ImportError(name)
        return modules[name]

    monkeypatch.setattr(segmenters, "import_module", found)


def test_rjieba_is_asked_for_words_where_its_version_can_be(monkeypatch):
    own = SimpleNamespace(cut=list, has_word={"天气"}.__contains__)
    installed(monkeypatch, rjieba=SimpleNamespace(Jieba=lambda: own))
    system = open_system("rjieba")
    assert system.knows("天气") and not system.knows("天") and system.dictionary
    installed(monkeypatch, rjieba=SimpleNamespace(cut=list))
    assert open_system("rjieba").knows is None


def thulac_in(folder):
    models = folder / "models"
    models.mkdir()
    for name in ("cws_model.bin", "cws_dat.bin", "cws_label.txt"):
        (models / name).write_bytes(b"model")
    lists = {
        "idiom.dat": ["画蛇添足"],
        "ns.dat": ["北京"],
        "time.dat": ["当时"],
        "singlepun.dat": ["，"],
    }
    lists["model_w"] = ["u! 天气", "u! Ａ４", 'u" 好 a']
    for name, words in lists.items():
        (models / name).write_bytes(double_array(words).tobytes())
    made = lambda seg_only: SimpleNamespace(cut=lambda text: [[c, ""] for c in text])  # noqa: E731
    return SimpleNamespace(__file__=str(folder / "__init__.py"), thulac=made)


def test_thulac_is_asked_for_the_words_of_the_lists_in_its_package(monkeypatch, tmp_path):
    installed(monkeypatch, thulac=thulac_in(tmp_path))
    system = open_system("thulac")
    known = ["画蛇添足", "北京", "当时", "，", "天气", "A4"]
    assert [word for word in [*known, "好", "u! 天气x", "画蛇"] if system.knows(word)] == known
    assert len(system.sha256) == 64 and "model_w" in system.dictionary
    (tmp_path / "models" / "model_w").unlink()
    assert open_system("thulac").knows is None


def pkuseg_of(words, joined):
    made = SimpleNamespace(
        cut=list,
        feature_extractor=SimpleNamespace(unigram=words),
        postprocesser=SimpleNamespace(do_process=True, common_words=set(), other_words=joined),
    )
    return SimpleNamespace(pkuseg=lambda: made)


@pytest.mark.parametrize("package", ["spacy_pkuseg", "pkuseg"])
def test_pkuseg_of_either_package_is_asked_for_the_words_it_was_trained_on(package, monkeypatch):
    installed(monkeypatch, **{package: pkuseg_of({"天气"}, {"北京大学"})})
    system = open_system("pkuseg")
    assert [system.knows(word) for word in ("天气", "北京大学", "北京")] == [True, True, False]
    assert system.dictionary.startswith("1 words of its training text, and 1 ")


def test_pkuseg_without_its_model_says_where_the_model_is_looked_for(monkeypatch):
    def offline():
        raise ConnectionError("no network")

    installed(monkeypatch, spacy_pkuseg=SimpleNamespace(pkuseg=offline))
    with pytest.raises(ConfigError, match="no model: ConnectionError: no network") as caught:
        open_system("pkuseg")
    assert "PKUSEG_HOME" in caught.value.hint


def test_a_number_of_a_dictionary_names_the_dictionary(tmp_path):
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold" / "a.seg.txt").write_text("天气 很 好\n", "utf-8")
    mine = Segmenter("mine", cut=list, knows={"天气"}.__contains__, dictionary="my list")
    (kind,) = evaluate(tmp_path, [mine], config=EvalConfig(resamples=100)).kinds
    numbers = kind.systems[1].numbers
    assert numbers["oov_lex"].value == pytest.approx(2 / 3)
    assert numbers["oov_lex"].corpus == "a, words: a.seg.txt; dictionary: my list"
    assert "dictionary" not in numbers["oov_word"].corpus


@pytest.mark.skipif(find_spec("rjieba") is None, reason="rjieba is not installed")
def test_rjieba_has_the_words_of_jieba():
    words = ["中国", "北京大学", "中华人", "龘龘", "画蛇添足", "天气很"]
    ours, theirs = open_system("rjieba").knows, open_system("jieba").knows
    assert [ours(word) for word in words] == [theirs(word) for word in words]


@pytest.mark.skipif(find_spec("thulac") is None, reason="thulac is not installed")
def test_the_lists_of_the_installed_thulac_are_read():
    models = Path(find_spec("thulac").origin).parent / "models"
    knows = segmenters._thulac_words(models)
    known = ["国债", "一概而论", "天气", "，", "现今", "卡拉奇"]
    assert [word for word in [*known, "国债天气", "龘"] if knows(word)] == known
