"""Records above an opened folder that is a part of their suite: read, and nothing else is."""

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from evalcore.errors import UnknownName
from evalcore.judging.answering.excluding import exclude
from evalcore.judging.answering.notes import add_note
from evalcore.judging.answering.sending import send
from evalcore.judging.answering.submitting import skip
from evalcore.judging.storing.run_reviews import reviews_of_run
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.workspace import opened
from evalcore.workspace.opened import Workspace, open_workspace, reopened
from tests.judging.copies import ANA, BEN, answers, copied, judged, taken
from tests.reviewing import Reviews

SUITE = "commit-helper"
HOME = f"{SUITE}-workspace"
WHOLE = f"{SUITE}::2@iteration-1/with_skill#1"
PART = f"{HOME}/iteration-1"
NONE = "no run"
IN_PART = ".::breaking-api@current/with_skill#1"


@pytest.fixture
def whole(tmp_path: Path) -> Workspace:
    """Return a suite in a git repository, of which nothing but its top is looked at."""
    (tmp_path / "repository/.git").mkdir(parents=True)
    return copied(tmp_path / "repository", SUITE)


def part(ws: Workspace, folder: str = PART) -> Workspace:
    """Open one iteration of the suite alone."""
    return open_workspace(ws.root / folder, cache=False)


def own(ws: Workspace) -> dict[str, list[str]]:
    """Return the status of people's judgments by the run that they are about."""
    rows = ws.tables.judgments
    rows = rows[rows["source"].astype(str).str.contains("reviews/")]
    found: dict[str, list[str]] = {}
    for run, status in zip(rows["run_id"], rows["status"], strict=True):
        found.setdefault(run if isinstance(run, str) else NONE, []).append(status)
    return {run: sorted(statuses) for run, statuses in found.items()}


def judges(ws: Workspace, run: str) -> set[str]:
    """Return who judged a run, as the page for judging knows it."""
    (suite,) = ws.tables.runs.loc[ws.tables.runs["run_id"] == run, "suite"]
    return set(reviews_of_run(load_reviews(review_folder(ws, suite)), run).judges)


def test_a_part_has_the_judgments_of_its_runs(whole: Workspace) -> None:
    """Those about other parts of the suite are no business of this one, and no problem."""
    n = len(judged(whole, WHOLE))
    judged(whole, WHOLE.replace("iteration-1", "iteration-2"))
    ws = part(whole)
    assert own(ws) == {IN_PART: ["scored"] * n}
    assert judges(ws, IN_PART) == {ANA.id}
    assert [p for p in ws.problems if "reviews/" in p.path] == []
    assert set(ws.tables.judgments["source"].astype(str).str.split("/").str[:2].str.join("/")) >= {
        "../reviews"
    }


def test_a_part_says_where_its_judgments_are_read_too(whole: Workspace) -> None:
    """The whole does not."""
    said = [p for p in part(whole).problems if p.code == "part-of-a-suite"]
    assert [(p.severity, HOME in p.message) for p in said] == [("info", True)]
    assert "part-of-a-suite" not in {p.code for p in whole.problems}


def test_without_a_repository_nothing_above_is_read(whole: Workspace) -> None:
    """Nor above the top of one: what lies there belongs to somebody else."""
    judged(whole, WHOLE)
    (whole.root / PART / ".git").write_text("gitdir: elsewhere\n")
    assert own(part(whole)) == {}
    (whole.root / PART / ".git").unlink()
    assert own(part(whole)) != {}
    (whole.root / ".git").rmdir()
    assert own(part(whole)) == {}


Spoil = Callable[[Path, Path], None]


def _folder_is_a_link(folder: Path, away: Path) -> None:
    shutil.move(folder, away)
    folder.symlink_to(away)


def _type_is_a_link(folder: Path, away: Path) -> None:
    _folder_is_a_link(folder / "eval-judgment", away)


def _records_are_links(folder: Path, away: Path) -> None:
    away.mkdir()
    for path in sorted((folder / "eval-judgment").iterdir()):
        shutil.move(path, away / path.name)
        path.symlink_to(away / path.name)


def _records_are_broken(folder: Path, away: Path) -> None:
    del away
    for path in (folder / "eval-judgment").iterdir():
        path.write_bytes(b"\xff{")


def _records_are_folders(folder: Path, away: Path) -> None:
    del away
    for path in sorted((folder / "eval-judgment").iterdir()):
        path.unlink()
        path.mkdir()


@pytest.mark.parametrize(
    "spoil",
    [_folder_is_a_link, _type_is_a_link, _records_are_links, _records_are_broken,
     _records_are_folders],
)  # fmt: skip
def test_links_and_what_is_no_record_are_not_read(
    whole: Workspace, spoil: Spoil, tmp_path: Path
) -> None:
    """They hide nothing of the part itself."""
    judged(whole, WHOLE)
    spoil(whole.root / HOME / "reviews", tmp_path / "away")
    ws = part(whole)
    assert own(ws) == {}
    assert judges(ws, IN_PART) == set()
    assert len(ws.tables.runs) > 0


def test_a_record_above_can_be_opened_and_nothing_else_outside(whole: Workspace) -> None:
    """Only what is named like a record of a type that evalcore writes."""
    (receipt,) = judged(whole, WHOLE, given=answers(taken(whole, WHOLE)))[:1]
    name, ws = Path(receipt.path).name, part(whole)
    assert ws.raw(f"../reviews/eval-judgment/{name}", "/fields/testRunId") == WHOLE
    (whole.root / HOME / "secret.json").write_text("{}")
    (whole.root / HOME / "reviews/secret.json").write_text("{}")
    (whole.root / HOME / "reviews/other").mkdir()
    (whole.root / HOME / "reviews/other/secret.json").write_text("{}")
    (whole.root / HOME / "reviews/eval-judgment/link.json").symlink_to("../secret.json")
    for path in (
        "../secret.json", "../reviews/secret.json", "../reviews/other/secret.json",
        "../reviews/eval-judgment/../secret.json", "../reviews/eval-judgment/link.json",
        "../../../../etc/passwd", "../reviews/eval-judgment/../../../../../../etc/passwd",
        f"../reviews/../reviews/eval-judgment/{name}", f"../../{HOME}/reviews/eval-judgment/{name}",
        f"../../reviews/eval-judgment/{name}", f"x/../../reviews/eval-judgment/{name}",
        "../reviews/eval-judgment/", "../reviews/eval-judgment/a\0.json",
        "../reviews/eval-judgment/\ud800.json",
    ):  # fmt: skip
        with pytest.raises(UnknownName):
            ws.raw(path)


def test_what_is_judged_in_a_part_is_stored_there(whole: Workspace) -> None:
    """Nothing is written above the opened folder, and from above it is read."""
    before = {path for path in whole.root.rglob("*") if path.is_file()}
    ws = part(whole)
    n = len(judged(ws, IN_PART))
    new = {path for path in whole.root.rglob("*") if path.is_file()} - before
    assert {path.relative_to(whole.root / PART).parts[0] for path in new} == {"reviews"}
    assert own(reopened(whole)) == {WHOLE: ["scored"] * n}
    assert judges(reopened(whole), WHOLE) == {ANA.id}


def test_a_correction_in_a_part_replaces_what_is_stored_above(whole: Workspace) -> None:
    """The records of a run are one chain, whatever folders they lie in."""
    n = len(judged(whole, WHOLE))
    ws = part(whole)
    second = taken(ws, IN_PART)
    judged(ws, IN_PART, given=answers(second, 0.0, "On second thought."))
    for now, run in ((part(whole), IN_PART), (reopened(whole), WHOLE)):
        assert own(now) == {run: ["scored"] * n + ["superseded"] * n}
        assert {each.score for each in taken(now, run).mine.values()} == {0.0}
        assert [p.code for p in now.problems if "reviews/" in p.path] == []


def test_a_record_that_comes_or_goes_above_is_a_change(
    whole: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """For an open part, and for its index."""
    monkeypatch.setattr(opened, "CHECK_SECONDS", 0)
    judged(whole, WHOLE)
    ws = open_workspace(whole.root / PART)
    assert open_workspace(whole.root / PART).from_index
    assert not ws.changed()
    judged(whole, WHOLE, BEN)
    assert ws.changed()
    now = open_workspace(whole.root / PART)
    assert set(now.tables.run_scores["judge"]) >= {ANA.id, BEN.id}
    assert judges(now, IN_PART) == {ANA.id, BEN.id}
    edited = next((whole.root / HOME / "reviews/eval-judgment").iterdir())
    edited.write_text(edited.read_text("utf-8") + " ", "utf-8")
    assert now.changed()
    now = open_workspace(whole.root / PART)
    shutil.rmtree(whole.root / HOME / "reviews")
    assert now.changed()
    assert own(open_workspace(whole.root / PART)) == {}


def test_records_are_the_same_tuple_until_one_changes(whole: Workspace) -> None:
    """So that what is computed from them is kept."""
    judged(whole, WHOLE)
    ws = part(whole)
    first = load_reviews(review_folder(ws, "."))
    assert load_reviews(review_folder(reopened(ws), ".")) is first
    judged(whole, WHOLE, BEN)
    assert len(load_reviews(review_folder(ws, "."))) == 2 * len(first)


def test_every_record_about_a_run_says_which_it_is(whole: Workspace) -> None:
    """Not the id alone, which another folder does not know."""
    judged(whole, WHOLE)
    skip(whole, WHOLE, BEN, "Not mine.")
    send(whole, [WHOLE], "Look.", BEN)
    exclude(whole, WHOLE, "No network.", BEN)
    add_note(whole, SUITE, WHOLE, "Hm.", BEN)
    add_note(whole, SUITE, None, "Of the suite.", BEN)
    said: dict[str, set[str]] = {}
    for path in (whole.root / HOME / "reviews").glob("*/*.json"):
        value = json.loads(path.read_text("utf-8"))
        about = value.get("evalcore", {}).get("run", {})
        said.setdefault(value["type"], set()).add(str(about.get("place")))
    place = "iteration-1/eval-breaking-api/with_skill/grading.json"
    assert said.pop("note") == {place, "None"}
    assert set(said) == {"eval-judgment", "skip", "approval-request", "exclusion"}
    assert all(places == {place} for places in said.values())
    ws = part(whole)
    assert ws.tables.exclusions["run_id"].tolist() == [IN_PART]
    assert set(ws.tables.requests["run_id"]) == {IN_PART}
    notes = ws.tables.notes
    assert notes.loc[notes["kind"] == "note", "run_id"].tolist() == [IN_PART]


def test_a_record_that_may_be_about_two_runs_counts_for_neither(tmp_path: Path) -> None:
    """Both are named, in the tables and for the page for judging."""
    for skill in ("one", "two"):
        folder = tmp_path / f"{skill}-workspace/iteration-1/eval-1/with_skill"
        folder.mkdir(parents=True)
        grading = {"expectations": [{"text": "It plans", "passed": True}]}
        (folder / "grading.json").write_text(json.dumps(grading))
    Reviews(tmp_path).judge("gone::eval-1@iteration-1/with_skill#1", "expectation:It plans", 1)
    ws = open_workspace(tmp_path, cache=False)
    (problem,) = (p for p in ws.problems if "reviews/" in p.path)
    assert problem.code == "ambiguous-run"
    for suite in ("one", "two"):
        run = f"{suite}::eval-1@iteration-1/with_skill#1"
        assert repr(run) in problem.message
        assert judges(ws, run) == set()
    assert own(ws) == {NONE: ["unattached"]}


def _git(folder: Path, *words: str) -> None:
    name = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    subprocess.run(["git", *name, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="there is no git here")
def test_judgments_of_two_clones_meet_in_a_merge(tmp_path: Path) -> None:
    """One judge on two machines is a conflict, two judges are none; one of them opened a part."""
    copied(tmp_path / "first", SUITE)
    _git(tmp_path / "first", "init", "-q", "-b", "main")
    _git(tmp_path / "first", "add", "-A")
    _git(tmp_path / "first", "commit", "-qm", "Runs")
    _git(tmp_path, "clone", "-q", "first", "second")
    here, there = (open_workspace(tmp_path / name, cache=False) for name in ("first", "second"))
    n = len(judged(here, WHOLE))
    inside = part(there)
    judged(inside, IN_PART, given=answers(taken(inside, IN_PART), 0.0))
    judged(inside, IN_PART, BEN)
    for name in ("first", "second"):
        _git(tmp_path / name, "add", "-A")
        _git(tmp_path / name, "commit", "-qm", "Judgments")
    _git(tmp_path / "first", "pull", "-q", "--no-rebase", "--no-edit", "../second", "main")
    for ws, run in ((reopened(here), WHOLE), (part(here), IN_PART)):
        assert own(ws) == {run: ["scored"] * 2 * n + ["superseded"] * n}
        assert judges(ws, run) == {ANA.id, BEN.id}
        assert {p.code for p in ws.problems if "reviews/" in p.path} == {"conflict"}
