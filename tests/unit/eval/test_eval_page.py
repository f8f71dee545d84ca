import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import partial

import pytest
from fake_tokenizer import FakeTokenizer
from hypothesis import given
from hypothesis import strategies as st
from page_checks import Page, check_accessible, check_alone

from pytok._written import written
from pytok.errors import ConfigError, ExportError
from pytok.eval import EvalConfig, Report, TokenizerSystem, evaluate
from pytok.eval.cells import Cell
from pytok.eval.html import render_html, write_html
from pytok.eval.html.pieces import parts_of
from pytok.eval.perturb import chosen
from pytok.eval.plots import Plot, metric_names, plots_of, svg_of, write_plots
from pytok.eval.plots.intervals import Group, draw_intervals
from pytok.eval.plots.pareto import front
from pytok.eval.plots.theme import PLACEHOLDERS
from pytok.eval.quoted import claims
from pytok.eval.show import figure
from pytok.eval.speed import SizeSpeed, Spread, SystemSpeed

HOSTILE = "</style><script>document.title='run'</script><img src=x onerror=alert(1)> & \"'"
NEWS = [
    "北京的天气很好很好很好。",
    "我们今天学习中文，明天也学习龘。",
    "天气好！学习\t了\u202e吗。",
]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """Three kinds, one with a hostile name and text; a system that fails; parallel lines."""
    root = tmp_path_factory.mktemp("corpus")
    texts = {
        "news/a.txt": "\n\n".join(NEWS * 3),
        "gold/news.seg.txt": "北京 的 龘 天气 很 好 。\n我们 学习 中文 。\n" * 30,
        "<b onclick=alert(1)>/a.txt": "\n\n".join(
            [HOSTILE, HOSTILE * 2, "中文 & <b>粗</b>$x^2$。"]
        ),
        "one/a.txt": "只有一篇。",
        "parallel/set.tsv": "yue\tcmn\n我哋學習\t我们学习\n天氣好\t天气好\n",
    }
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    systems = [
        TokenizerSystem(FakeTokenizer(["北京", "天气", "很好", "学习", "中文"])),
        TokenizerSystem(FakeTokenizer(["北京"], name=HOSTILE)),
        TokenizerSystem(FakeTokenizer(["北京"], name="bad", fails_on="龘")),
    ]
    config = EvalConfig(resamples=100, perturb=chosen("ocr,nopunct"), command=("pytok", HOSTILE))
    return evaluate(root, systems, config=config)


@pytest.fixture(scope="module")
def page(report):
    return render_html(report, quoted=True)


def test_the_page_runs_nothing_and_loads_nothing_whatever_the_texts_hold(page):
    parsed = Page(page)
    check_alone(parsed)
    assert "<script>document.title='run'</script>" in parsed.text
    assert "⟨U+202E⟩" in parsed.text
    assert "\u202e" not in page


def test_the_page_is_well_formed_and_can_be_used_with_a_keyboard_and_a_screen_reader(page):
    check_accessible(Page(page))


def test_every_value_and_interval_is_on_the_page(report, page):
    text = Page(page).text
    for kind in report.kinds:
        assert f"{kind.characters:,} characters" in text
        for system in kind.systems:
            for number in system.numbers.values():
                if number.value is not None:
                    assert figure(number.value) in text
                if number.low is not None:
                    assert f"{figure(number.low)}–{figure(number.high)}" in text


def test_sources_failures_and_definitions_are_on_the_page(report, page):
    text = Page(page).text
    for kind in report.kinds:
        for file in (*kind.files, *kind.gold):
            assert file.sha256 in text
    for system in report.kinds[0].systems:
        assert system.sha256 in text
    assert "bad failed." in text
    assert "cannot encode '龘'" in text
    assert "One document: there are no intervals" in text
    assert "oov_char" in text
    assert report.provenance.platform in text
    assert "yue / cmn" in text


def test_quoted_figures_come_with_a_verdict_and_only_when_asked_for(report, page):
    text = "".join(Page(page).text.split())
    assert "THULAC:OOV6.919.328.1" in text
    for claim in claims(report):
        if claim.low is not None:
            scale = 100 if "oov" in claim.metric else 1
            assert f"{scale * claim.value:.3g}{claim.verdict}" in text
    assert "THULAC" not in render_html(replace(report, kinds=report.kinds[-1:]))


def test_speed_is_on_the_page_where_it_was_measured(report, page):
    spread = Spread(median=12.5, low=11.25, high=13.75, rounds=5)
    size = SizeSpeed(100, 3, 900, 0.00123, None, spread, spread, None, 4.5)
    name = report.kinds[0].systems[0].system
    larger = replace(size, characters=1000, p50=0.25)
    rows = (
        SystemSpeed(name, 2, (size, larger), 5_000_000, None),
        SystemSpeed("other", 2, (size,), 5_000_000, None),
        SystemSpeed(HOSTILE, 2, (), None, "no"),
    )
    small = replace(report, kinds=(), speed={"news": rows})
    parsed = Page(render_html(small))
    check_alone(parsed)
    check_accessible(parsed)
    text = "".join(parsed.text.split())
    assert "1001,230–12.511.2–13.812.511.2–13.8–4.50" in text
    assert "1,000250,000–" in text, "the name of a system stands once"
    assert text.count("peakmemoryoftheprocess5MB") == 1
    assert "wasnotmeasured:no" in text
    assert 'id="speed"' not in page


def test_every_row_of_the_quoted_figures_says_what_it_is(page):
    table = page[page.index('<section id="quoted"') :]
    table = table[: table.index("</section>")]
    heads = re.findall(r'<th scope="row">(.*?)</th>', table)
    assert "THULAC: OOV" in heads
    assert "<code>fragmentation_<wbr>entropy_<wbr>word</code>" in heads


def test_the_numbers_of_a_list_of_terms_stand_together(report):
    kind = report.kinds[0]
    row = kind.systems[0]
    some = row.numbers["oov_char"]
    lists = ["integrity_url", "integrity_edges_law", "integrity_edges_url", "integrity_law"]
    numbers = {name: replace(some, metric=name) for name in (*lists, "tokens")}
    found = metric_names(
        replace(report, kinds=(replace(kind, systems=(replace(row, numbers=numbers),)),))
    )
    assert found == [
        "tokens", "integrity_law", "integrity_edges_law", "integrity_url", "integrity_edges_url",
    ]  # fmt: skip


def test_nothing_is_said_of_characters_where_nothing_was_measured(report):
    kind = next(kind for kind in report.kinds if kind.kind == "news")
    row = kind.systems[1]
    number = replace(row.numbers["oov_char"], value=None, low=None, high=None)
    bare = replace(row, numbers=row.numbers | {"oov_char": number}, character_contexts=())
    sections = []
    for one in (bare, replace(row, character_contexts=())):
        alone = replace(kind, systems=(one,), differences=(), perturbed=(), comparisons=())
        page = Page(render_html(replace(report, kinds=(alone,))))
        sections.append("Every character has a token of" in page.text)
    assert sections == [False, True]


def test_examples_show_where_characters_are_cut(page):
    assert re.search(
        r'<span class="t\d broken" title="3 tokens"><mark>龘</mark><sub>3</sub></span>', page
    )


def test_the_same_report_gives_the_same_page(report, page):
    assert render_html(report, quoted=True) == page


def test_a_part_that_is_missing_leaves_no_hole(report):
    empty = replace(report, kinds=(), parallel=())
    only_failures = replace(report.kinds[0], differences=(), perturbed=(), comparisons=())
    lost = replace(only_failures, systems=(), skipped=("x.txt is not UTF-8: byte 3",), characters=0)
    for some in (
        empty,
        replace(report, kinds=(lost,), provenance=None),
        replace(report, kinds=(), provenance=None),
        replace(report, kinds=(only_failures,), parallel=()),
    ):
        parsed = Page(render_html(some))
        check_alone(parsed)
        check_accessible(parsed)


def browser():
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next(filter(None, map(shutil.which, names)), None)


@pytest.mark.skipif(browser() is None, reason="no Chromium to open the page with")
def test_a_browser_runs_no_script_of_the_texts(report, tmp_path):
    write_html(report, tmp_path / "report.html")
    command = [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
               f"--user-data-dir={tmp_path / 'profile'}", (tmp_path / "report.html").as_uri()]  # fmt: skip
    found = subprocess.run(command, capture_output=True, timeout=120, check=True)
    shown = found.stdout.decode()
    assert "<title>Tokenizer report" in shown
    assert "<title>run" not in shown


def test_marked_characters_may_begin_inside_a_cell():
    shown = parts_of([Cell("很好", 1), Cell("的龘", 3)], 1, 3, other=[Cell("很好", 1)])
    assert [cell.parts for cell in shown] == [
        (("很", False), ("好", True)),
        (("的", True), ("龘", False)),
    ]
    assert [cell.same for cell in shown] == [True, False]


def test_drawings_for_a_page_take_its_colours_and_fonts_and_keep_their_figures(report):
    plots = {plot.name: plot for plot in plots_of(report)}
    svg = svg_of(plots["metric-oov_char"], "x")
    assert svg.startswith('<svg viewBox="0 0 310 ')
    assert "var(--series-1)" in svg
    for colour in (PLACEHOLDERS.ink, PLACEHOLDERS.muted, PLACEHOLDERS.grid, *PLACEHOLDERS.series):
        assert colour not in svg
    assert "font-family" not in svg
    assert "<style" not in svg
    assert "&lt;b onclick=alert(1)&gt;" in svg
    ids = re.findall(r' id="([^"]+)"', svg)
    assert all(name.startswith("x-") for name in ids)
    assert set(re.findall(r"url\(#([^)]+)\)", svg)) <= set(ids)


def test_figures_and_names_in_a_drawing_are_not_rounded(report):
    number = report.kinds[-1].systems[0].numbers["chars_per_token"]
    numbers = [(n, replace(number, value=value, low=None)) for n, value in enumerate((0.12, 0.19))]
    draw = partial(draw_intervals, [Group("v12.345", tuple(numbers))])
    svg = svg_of(Plot("a", "a", "", "a", draw), "x")
    assert {"v12.345", "0.12", "0.14"} <= set(re.findall(r">([v\d.]+)</text>", svg))


def drawn(report, metric, values, **options):
    """Limits and ticks of the axis of a drawing of some values."""
    number = report.kinds[0].systems[1].numbers["oov_char"]
    numbers = [
        (place, replace(number, metric=metric, value=value, low=value, high=value))
        for place, value in enumerate(values)
    ]
    (axes,) = draw_intervals([Group("news", tuple(numbers))], PLACEHOLDERS, **options).axes
    low, high = axes.get_xlim()
    return low, high, [float(tick) for tick in axes.get_xticks() if low <= tick <= high]


@pytest.mark.parametrize("values", [[1.0, 1.0], [0.99, 1.0], [0.2, 1.0]])
def test_the_axis_of_a_share_ends_at_1(report, values):
    low, high, ticks = drawn(report, "boundary_f1", values)
    assert low < min(values)
    assert 1 < high < 1.03
    assert 1.0 in ticks or max(ticks) < 1
    assert drawn(report, "fertility", [1.0, 1.0])[1] == 1.5


@pytest.mark.parametrize("values", [[0.64, 0.75], [1.2, 1.7], [5.0, 7.0], [0.9, 1.1]])
def test_a_line_has_its_tick(report, values):
    _, _, ticks = drawn(report, "parity_yue_cmn", values, line=1.0)
    assert 1.0 in ticks
    assert len(ticks) >= 2


def test_every_metric_with_a_direction_has_a_plot(report):
    subjects = {plot.subject for plot in plots_of(report)}
    assert {"chars_per_token", "boundary_f1", "oov_word", "renyi_efficiency"} <= subjects
    assert {"pareto", "ranks", "lengths", "parity"} <= subjects
    assert not {"tokens", "characters", "ids_used"} & subjects


def test_plots_are_written_as_png_and_svg_the_same_each_time(report, tmp_path):
    kind = report.kinds[-1]
    row = kind.systems[0]
    few = replace(row, numbers={name: row.numbers[name] for name in ("fertility", "oov_lex")})
    small = replace(report, kinds=(replace(kind, systems=(few,)),), parallel=())
    first, second = (write_plots(small, tmp_path / name) for name in "ab")
    assert [path.name for path in first] == [path.name for path in second]
    assert len(first) == 2 * len(plots_of(small))
    for one, other in zip(first, second, strict=True):
        content = one.read_bytes()
        assert content == other.read_bytes()
        if one.suffix == ".png":
            assert content.startswith(b"\x89PNG")
        else:
            assert ET.fromstring(content).tag.endswith("svg")


def test_the_title_and_the_names_in_a_file_stand_beside_the_plot(report, tmp_path):
    kind = next(kind for kind in report.kinds if kind.kind == "news")
    rows = tuple(replace(row, numbers={"oov_word": row.numbers["oov_word"]}, piece_lengths={},
                         rank_frequency=()) for row in kind.systems if not row.failure)  # fmt: skip
    small = replace(report, kinds=(replace(kind, systems=rows),), parallel=())
    _, path = write_plots(small, tmp_path)
    texts = {
        text.text: float(text.get("y"))
        for text in ET.parse(path).getroot().iter("{http://www.w3.org/2000/svg}text")
    }
    ticks = [place for text, place in texts.items() if re.fullmatch(r"[\d.]+", text)]
    assert texts["oov_word"] + 10 < texts["news"] < min(ticks) - 10
    assert all(max(ticks) + 8 < texts[row.system] for row in rows)


def test_two_kinds_of_one_file_name_do_not_overwrite_each_other(report):
    kind = next(kind for kind in report.kinds if kind.kind == "news")
    plots = plots_of(replace(report, kinds=(replace(kind, kind="a b"), replace(kind, kind="a-b"))))
    names = [plot.name for plot in plots]
    assert len(names) == len(set(names))
    assert {"ranks-a-b", "ranks-a-b-2"} <= set(names)


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12))
def test_the_front_holds_exactly_what_no_other_point_beats(values):
    def beaten(one):
        return any(other != one and other[0] >= one[0] and other[1] >= one[1] for other in values)

    assert front(values) == sorted(one for one in set(values) if not beaten(one))


@pytest.mark.parametrize("package", ["jinja2", "matplotlib"])
def test_a_missing_package_is_named_with_its_extra(report, tmp_path, monkeypatch, package):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigError, match=f"needs the package {package}") as caught:
        write_html(report, tmp_path / "report.html")
    assert "pytok-tokenizers[report]" in caught.value.hint
    assert not list(tmp_path.iterdir())


def test_a_file_is_whole_or_not_there(tmp_path):
    path = tmp_path / "report.html"
    path.write_text("old")
    with pytest.raises(RuntimeError), written(path) as stream:
        stream.write(b"half")
        raise RuntimeError
    assert [file.name for file in tmp_path.iterdir()] == ["report.html"]
    assert path.read_text() == "old"
    with written(path) as stream:
        stream.write(b"new")
    assert path.read_text() == "new"
    with (
        pytest.raises(ExportError, match="cannot write"),
        written(tmp_path / "none" / "a") as stream,
    ):
        stream.write(b"")


def test_a_report_of_nothing_has_no_plots():
    assert plots_of(Report("x", "0", 1, 1, None, kinds=())) == []
