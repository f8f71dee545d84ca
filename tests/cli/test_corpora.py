import hashlib
import http.server
import io
import json
import lzma
import sys
import tarfile
import threading
import zipfile
from importlib.resources import files
from pathlib import Path

import pytest

import pytok.cli
from pytok.errors import CorpusError
from pytok.eval.sources import load_sources, read_sources

CHAT = "@Begin\n*XXA:\t係 咩\n\t?\n%mor:\tv|hai6 y|me1 ?\n*XXB:\t好 .\n@End\n"


def zipped(**names):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, text in names.items():
            archive.writestr(name.replace("__", "/") + ".cha", text)
    return stream.getvalue()


def tarred(names):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as archive:
        for name, text in names.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return stream.getvalue()


FILES = {
    "/chat.whl": zipped(data__b="*A:\t後 面\n", data__a=CHAT, other__c="*A:\t別 的\n"),
    "/code.tar.gz": tarred({"p/b.py": "x = 1\n", "p/a.py": "y = 2\nz = 3\n", "p/c.txt": "no"}),
    "/damaged.tar.gz": b"no archive",
    "/damaged.whl": b"no archive",
    "/cut-off.txt.xz": lzma.compress(b"x" * 9999)[:-9],
    "/lines.txt.xz": lzma.compress("一\n二\n三\n".encode()),
    "/table.conllu": "1\tNew York\t_\n2-3\t別的\t_\n2\t別\t_\n3\t的\t_\n3.1\t空\t_\n\n1\t好\t_\n".encode(),
    "/strings.json": json.dumps(["一\u001b二", "", "三\n四"]).encode(),
    "/records.jsonl": '{"body": "一\\n二"}\n\n{"body": "三"}\n'.encode(),
}


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, how = self.path.partition("?")
        if path not in FILES:
            self.send_error(404)
            return
        content = FILES[path]
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content[: len(content) // 2] if how == "short" else content)

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def server():
    httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=httpd.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{httpd.server_port}"
    httpd.shutdown()
    httpd.server_close()


def entry(url, convert, **changes):
    content = FILES.get("/" + url.rpartition("/")[2].partition("?")[0], b"")
    fields = {
        "name": "tiny",
        "about": "a test",
        "licence": "CC0 1.0",
        "url": url,
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "convert": convert,
        "output": "kind/tiny.txt",
    } | changes
    lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items()]
    return "# a comment\n\n[[source]]\n" + "\n".join(lines) + "\n"


@pytest.fixture
def get(tmp_path, capsys, monkeypatch):
    def get(sources, name="tiny", *more):
        listed = tmp_path / "sources.toml"
        listed.write_text(sources, encoding="utf-8")
        out = tmp_path / "out"
        code = run(monkeypatch, "get", name, "-o", out, "--sources", listed, *more)
        return code, *capsys.readouterr(), out

    return get


def run(monkeypatch, *arguments):
    monkeypatch.setattr(sys, "argv", ["pytok", "corpora", *map(str, arguments)])
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    try:
        pytok.cli.main()
    except SystemExit as stop:
        return stop.code or 0
    return 0


def left(folder):
    return [path.name for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("url", "convert", "changes", "lines"),
    [
        ("/chat.whl", "chat-gold", {"members": "data/*.cha"}, ["係 咩 ?", "好 .", "後 面"]),
        (
            "/code.tar.gz",
            "source-files",
            {"members": "p/*.py"},
            ["===== FILE p/a.py =====", "y = 2", "z = 3", "===== FILE p/b.py =====", "x = 1"],
        ),
        ("/code.tar.gz", "lines", {"members": "p/*.py", "first": 2}, ["y = 2", "z = 3"]),
        ("/lines.txt.xz", "lines", {}, ["一", "二", "三"]),
        ("/table.conllu", "conllu-gold", {}, ["New\u00a0York 別的", "好"]),
        ("/strings.json", "json-strings", {}, ["一 二", "三 四"]),
        ("/records.jsonl", "jsonl", {"field": "body"}, ["一 二", "三"]),
    ],
)
def test_a_corpus_is_fetched_verified_and_cut(get, server, url, convert, changes, lines):
    code, out, err, folder = get(entry(server + url, convert, **changes))
    path = folder / "kind" / "tiny.txt"
    assert (code, out) == (0, f"{path}\n")
    assert err == "licence: CC0 1.0\n"
    assert path.read_text("utf-8").split("\n") == [*lines, ""]
    assert left(folder) == ["tiny.txt"]


def test_json_names_the_file_and_its_checksum(get, server):
    code, out, _, folder = get(entry(f"{server}/lines.txt.xz", "lines"), "tiny", "--json")
    row = json.loads(out)
    content = (folder / "kind" / "tiny.txt").read_bytes()
    assert code == 0
    assert (row["bytes"], row["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())


@pytest.mark.parametrize(
    ("url", "changes", "reason"),
    [
        ("/lines.txt.xz", {"sha256": "0" * 64}, "not the expected ones"),
        ("/lines.txt.xz", {"bytes": 5}, "not the expected ones"),
        ("/lines.txt.xz?short", {}, "ended after"),
        ("/nothing.txt", {}, "answered 404"),
        ("/chat.whl", {"members": "no/*"}, "no file in the archive matches 'no/*'"),
        ("/chat.whl", {"members": "data/*", "convert": "json-strings"}, "cannot cut"),
        ("/damaged.tar.gz", {"members": "x"}, "damaged"),
        ("/damaged.whl", {"members": "x"}, "damaged"),
        ("/cut-off.txt.xz", {}, "damaged"),
    ],
)
def test_a_failure_is_explained_and_leaves_nothing_behind(get, server, url, changes, reason):
    changes = {"convert": "lines"} | changes
    code, out, err, folder = get(entry(server + url, **changes))
    assert (code, out) == (2, "")
    assert reason in err.splitlines()[0]
    assert left(folder) == []


def test_a_failure_keeps_the_file_that_was_there(get, server):
    get(entry(f"{server}/lines.txt.xz", "lines"))
    _, _, _, folder = get(entry(f"{server}/lines.txt.xz", "lines", sha256="0" * 64))
    assert (folder / "kind" / "tiny.txt").read_text("utf-8") == "一\n二\n三\n"


def test_no_server_is_a_clear_error(get, server):
    code, _, err, folder = get(entry("http://127.0.0.1:9/lines.txt.xz", "lines"))
    assert code == 2
    assert err.startswith("error: tiny: cannot download http://127.0.0.1:9/")
    assert "\nhint: check the network" in err
    assert left(folder) == []


def test_a_folder_that_cannot_be_made_is_a_clear_error(get, server, tmp_path):
    (tmp_path / "out").write_text("a file")
    code, _, err, _ = get(entry(f"{server}/lines.txt.xz", "lines"))
    assert code == 2
    assert err.startswith("error: cannot write ")


def test_an_unknown_name_shows_the_known_ones(get, server):
    code, _, err, _ = get(entry(f"{server}/lines.txt.xz", "lines"), "huge")
    assert code == 2
    assert err.startswith("error: no such corpus: 'huge'\nhint: ")
    assert "tiny" in err


def test_the_list_shows_name_licence_and_size(capsys, monkeypatch):
    assert run(monkeypatch, "list") == 0
    out = capsys.readouterr().out
    for source in load_sources():
        assert source.name in out
    assert "CC BY 4.0" in out
    assert run(monkeypatch, "list", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    assert len(listed) >= 4
    assert {"name", "licence", "url", "bytes", "sha256", "members", "convert"} <= set(listed[0])


def test_the_list_of_the_package_is_that_of_the_repository():
    repository = Path(__file__).parents[2] / "corpora" / "sources.toml"
    packaged = files("pytok.eval").joinpath("sources.toml")
    assert packaged.read_bytes() == repository.read_bytes()


def test_the_list_is_toml_and_read_alike():
    tomllib = pytest.importorskip("tomllib")
    text = files("pytok.eval").joinpath("sources.toml").read_text("utf-8")
    tables = tomllib.loads(text)["source"]
    for source, table in zip(read_sources(text), tables, strict=True):
        for name, value in table.items():
            assert getattr(source, name) == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("name = 'x'", "line 1"),
        ("[[source]]\nname", "line 2"),
        ('[[source]]\nname = "a"\nname = "b"', "second 'name'"),
        ('[[source]]\nname = "a"', "no about"),
        ('[[source]]\nbytes = "9"', "bytes must be a whole number"),
        ('[[source]]\ncolour = "red"', "unknown field 'colour'"),
        (entry("http://x/y", "magic"), "convert is 'magic'"),
        (entry("http://x/y", "lines", output="../y"), "leaves its folder"),
        (entry("http://x/y", "lines", output="/y"), "leaves its folder"),
        (entry("http://x/y", "lines", sha256="no"), "64 hexadecimal digits"),
        (entry("file:///etc/passwd", "lines"), "not http or https"),
    ],
)
def test_a_wrong_list_is_refused(text, reason):
    with pytest.raises(CorpusError, match=reason):
        read_sources(text)
