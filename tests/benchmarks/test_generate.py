"""The generated workspaces: the same every time, as large as said, and without a fault."""

import hashlib
import json
from pathlib import Path
from typing import NamedTuple

import pytest

from benchmarks import generate
from benchmarks.generate import CHUNK, WRITERS, Written
from evalcore import Workspace, open_workspace
from evalcore.families.registry import dialect
from evalcore.shapes.faults import faults

SIZE = 150


class Made(NamedTuple):
    family: str
    root: Path
    written: Written


@pytest.fixture(scope="module", params=WRITERS)
def made(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return a small workspace of each family."""
    root = tmp_path_factory.mktemp(request.param) / "workspace"
    return Made(request.param, root, generate.generate(request.param, SIZE, root))


@pytest.fixture(scope="module")
def opened(made: Made) -> Workspace:
    """Return the same workspace, opened."""
    return open_workspace(made.root, cache=False)


def documents(root: Path) -> list[Path]:
    return sorted(root.rglob("*.json"))


def digest(root: Path) -> str:
    """Return a hash of every path and byte below a folder."""
    files = sorted(path for path in root.rglob("*") if path.is_file())
    told = hashlib.sha256()
    for path in files:
        told.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes() + b"\0")
    return told.hexdigest()


def kind_of(path: Path) -> str:
    return "grading" if path.parent.name == "grading" else path.stem


def test_the_same_order_gives_the_same_bytes(made: Made, tmp_path: Path) -> None:
    """Family, number and seed decide every byte."""
    generate.generate(made.family, SIZE, tmp_path / "again")
    assert digest(tmp_path / "again") == digest(made.root)


def test_the_number_of_processes_changes_nothing(tmp_path: Path) -> None:
    """Two processes write what one writes, also what sums up over all gradings."""
    size = CHUNK + 100
    one = generate.generate("improve", size, tmp_path / "one", jobs=1)
    two = generate.generate("improve", size, tmp_path / "two", jobs=2)
    assert one == two
    assert digest(tmp_path / "one") == digest(tmp_path / "two")


def test_another_seed_gives_other_scores(made: Made, tmp_path: Path) -> None:
    """The seed matters."""
    generate.generate(made.family, SIZE, tmp_path / "other", seed=2)
    assert digest(tmp_path / "other") != digest(made.root)


def test_what_it_says_is_what_lies_there(made: Made) -> None:
    """Files and bytes are counted as they are on disk."""
    files = [path for path in made.root.rglob("*") if path.is_file()]
    assert made.written.gradings == SIZE
    assert made.written.files == len(files)
    assert made.written.bytes == sum(path.stat().st_size for path in files)


def test_a_grading_has_4_to_8_kilobytes(made: Made) -> None:
    """The mean size of what one grading consists of is that of real ones."""
    assert 4_000 <= made.written.grading_bytes / made.written.gradings <= 8_000


def test_about_a_quarter_of_the_files_escape_what_is_not_ascii(made: Made) -> None:
    """Both ways of writing other alphabets occur."""
    texts = [path.read_text("utf-8") for path in documents(made.root)]
    foreign = [text for text in texts if not text.isascii() or "\\u" in text]
    escaped = sum(text.isascii() for text in foreign)
    assert 0.1 < escaped / len(foreign) < 0.4


def test_every_document_is_what_its_model_says(made: Made) -> None:
    """The documents have exactly the fields and types of their family."""
    names = ("iterations", made.family)
    kinds = {d.kind: d for name in names for d in dialect(name).documents().kinds}
    wrong = []
    for path in documents(made.root):
        value = json.loads(path.read_bytes())
        kind = value["type"] if made.family == "records" else kind_of(path)
        wrong += [(path.name, fault) for fault in faults(kinds[kind], value)]
    assert wrong == []


def test_it_opens_without_a_fault(opened: Workspace) -> None:
    """The reader finds nothing broken and no derived value that is wrong."""
    bad = [p for p in opened.problems if p.severity == "error" or p.code == "derived-mismatch"]
    assert bad == []


def test_every_judgment_is_read(made: Made, opened: Workspace) -> None:
    """The reader finds as many scored criteria as were written, and as many runs."""
    tables = opened.tables
    judged = tables.judgments[tables.judgments["kind"] != "convention"]
    assert (judged["status"] == "scored").sum() == made.written.judgments
    assert len(tables.runs) == SIZE
    assert set(tables.suites["family"]) == {made.family}


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    """Nothing is written over."""
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(FileExistsError, match="not empty"):
        generate.generate("improve", 1, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_the_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A number that makes no sense ends with 2 and one sentence."""
    assert generate.main(["improve", "0", str(tmp_path / "new")]) == 2
    assert capsys.readouterr().err == "A workspace needs at least one grading.\n"
