"""What a later reading has that an earlier one had not, in a few words."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore import open_workspace
from evalcore.views.news import News, Parts, news, sentence
from tests.dashboard.live import write, write_alpha

FOLDER = "alpha-workspace/grading"
SHOWN = "alpha::case-01@v1/-#1"
NOTHING: frozenset[str] = frozenset()


@pytest.fixture
def said(tmp_path: Path) -> Callable[..., str]:
    """Return a function that changes the folder and says what is new."""
    root = tmp_path / "skills"
    write_alpha(root)

    def changed(change: Callable[[Path], object], *paths: str, suite: str = "alpha") -> str:
        before = open_workspace(root, cache=False)
        change(root)
        after = open_workspace(root, cache=False)
        found = news(before, after, frozenset(paths) if paths else None)
        words = sentence(found, suite, SHOWN)
        assert bool(words) == bool(found)
        return words

    return changed


def grading(root: Path, run: int, **fields: object) -> Path:
    """Write a grading of the case in version 1, run `run`."""
    document = json.loads((root / FOLDER / "case-01_v1_run1.json").read_text("utf-8"))
    path = root / FOLDER / f"case-01_v1_run{run}.json"
    write(path, document | {"run": run} | fields)
    return path


def test_new_gradings_are_counted(said: Callable[..., str]) -> None:
    """In words for one and for several."""
    assert said(lambda root: grading(root, 2), f"{FOLDER}/case-01_v1_run2.json") == "1 new grading"
    more = [f"{FOLDER}/case-01_v1_run{run}.json" for run in (3, 4, 5)]
    assert said(lambda root: [grading(root, run) for run in (3, 4, 5)], *more) == "3 new gradings"


def test_the_grading_on_screen_is_named(said: Callable[..., str]) -> None:
    """When it changed, and when it was deleted."""
    path = f"{FOLDER}/case-01_v1_run1.json"
    change = {"results": [{"criterion": "greets", "score": 1, "passed": False, "reasoning": "no"}]}
    words = said(lambda root: grading(root, 1, **change), path)
    assert words == "1 grading changed; the grading on screen changed"
    words = said(lambda root: (root / path).unlink(), path)
    assert words == "1 grading deleted; the grading on screen was deleted"


def test_a_rationale_is_part_of_a_grading(said: Callable[..., str]) -> None:
    """A grading with the same score and other words changed."""
    change = {"results": [{"criterion": "greets", "score": 4, "passed": True, "reasoning": "now"}]}
    words = said(lambda root: grading(root, 1, **change), f"{FOLDER}/case-01_v1_run1.json")
    assert words.startswith("1 grading changed")


def test_a_file_written_anew_with_the_same_content_is_no_news(said: Callable[..., str]) -> None:
    """Nothing on a page would be different."""
    assert said(lambda root: grading(root, 1), f"{FOLDER}/case-01_v1_run1.json") == ""


def test_several_kinds_of_news_are_one_sentence(said: Callable[..., str]) -> None:
    """The first count names what is counted."""

    def change(root: Path) -> None:
        grading(root, 2)
        grading(root, 3)
        (root / FOLDER / "case-01_v0_run1.json").unlink()

    names = [f"{FOLDER}/case-01_v{v}_run{r}.json" for v, r in ((0, 1), (1, 2), (1, 3))]
    assert said(change, *names) == "2 new gradings, 1 deleted"


def test_gradings_of_another_suite_are_placed(said: Callable[..., str]) -> None:
    """Who presses the button knows where to look for them."""
    path = f"{FOLDER}/case-01_v1_run2.json"
    assert said(lambda root: grading(root, 2), path, suite="beta") == "1 new grading in alpha"


def test_other_documents_are_named(said: Callable[..., str]) -> None:
    """One by its name, several by their number; gradings come first."""
    path = "alpha-workspace/history.json"

    def later(root: Path) -> None:
        document = json.loads((root / path).read_text("utf-8"))
        document["versions"][1]["description"] = "later"
        write(root / path, document)

    assert said(later, path) == "history.json changed"


def test_a_file_that_cannot_be_read_is_said(said: Callable[..., str]) -> None:
    """Half of a grading is no grading."""
    path = f"{FOLDER}/case-01_v1_run2.json"
    words = said(lambda root: (root / path).write_text('{"case_id": "case'), path)
    assert words == "case-01_v1_run2.json cannot be read"


def test_files_that_are_no_evaluation_are_no_news(said: Callable[..., str]) -> None:
    """A package's own JSON may change as it likes."""
    assert said(lambda root: write(root / "package.json", {"name": "x"}), "package.json") == ""


def test_without_a_list_of_files_everything_is_compared(said: Callable[..., str]) -> None:
    """After a long absence nobody knows which files changed."""
    assert said(lambda root: grading(root, 2)) == "1 new grading"


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (Parts(NOTHING, frozenset({"a/b.json"}), NOTHING), "b.json changed"),
        (Parts(frozenset({"b.json"}), NOTHING, NOTHING), "b.json is new"),
        (Parts(NOTHING, NOTHING, frozenset({"b.json"})), "b.json was deleted"),
        (Parts(NOTHING, NOTHING, frozenset({"a", "b"})), "2 files deleted"),
        (Parts(frozenset({"a"}), frozenset({"b"}), NOTHING), "1 new file, 1 changed"),
    ],
)
def test_files_in_words(files: Parts, words: str) -> None:
    """A single file by its name."""
    assert sentence(News(Parts(NOTHING, NOTHING, NOTHING), files, NOTHING, NOTHING)) == words


def test_a_hostile_name_stays_one_short_line() -> None:
    """Marks that turn the writing direction, and newlines, are shown as what they are: strange."""
    files = Parts(frozenset({f"a/\u202e\n{'x' * 500}.json"}), NOTHING, NOTHING)
    words = sentence(News(Parts(NOTHING, NOTHING, NOTHING), files, NOTHING, NOTHING))
    assert words.isprintable()
    assert len(words) < 60


def test_files_that_tell_of_a_hidden_run_are_no_news(tmp_path: Path) -> None:
    """Others are; and who sees the run is told."""
    root = tmp_path / "skills"
    write_alpha(root)
    before = open_workspace(root, cache=False)
    result = {"criterion": "greets", "score": 2, "passed": False, "reasoning": "Not by name."}
    grading(root, 1, results=[result])
    after = open_workspace(root, cache=False)
    changed = frozenset({f"{FOLDER}/case-01_v1_run1.json"})
    assert news(before, after, changed)
    assert not news(before.hiding({SHOWN}, "ana-1"), after.hiding({SHOWN}, "ana-1"), changed)
