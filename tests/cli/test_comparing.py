"""`evalcore compare` says what was seen and how far it carries, and ends with 1 when told to."""

import json
import re
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from dulwich import porcelain

from evalcore.cli.comparing import improved, regressed
from evalcore.comparing.model import Slice
from evalcore.comparing.outcomes import GATE, IN_TIME
from evalcore.demo import packaged
from evalcore.statistics.not_worse import NotWorse
from evalcore.statistics.verdict import Word
from tests.cli.command import ROOT, evalcore
from tests.cli.conftest import Invoke
from tests.cli.suites import gated, repeated, suite, worse
from tests.views.verdicts import comparison, estimate, incomparable, verdict

DEMO = packaged()
WORSE = (
    "iteration-2 passes less than iteration-1, both with_skill: 23 % against 100 % "
    "on 14 cases (\N{MINUS SIGN}77 points, likely between \N{MINUS SIGN}"
)


def compared(invoke: Invoke, *arguments: str | Path) -> dict[str, Any]:
    """Return the document of a comparison."""
    done = invoke("compare", *arguments, "--json")
    assert done.exit_code == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def test_the_sentence_comes_first(invoke: Invoke, tmp_path: Path) -> None:
    """What was seen, how far it carries, the cases that got worse first, and what runs take."""
    lines = invoke("compare", worse(tmp_path)).stdout.splitlines()
    assert lines[0].startswith(WORSE)
    assert lines[0].endswith("; 14 got worse, none improved.")
    assert lines[1] == "Worse, for cases like these too."
    assert lines[2] == "▼ 14 regressed  ▲ 0 improved  = 0 same"
    assert lines[4] == "Regressed: 14 cases"
    assert lines[5].split() == ["▼", "eval-00", "100", "%", "→", "0", "%", "−100", "points"]
    assert lines[15] == "  and 4 more (all with --json)"
    assert "  time: 10 s → 20 s (+10 s; 14 cases)" in lines
    assert "  cost: no case was measured on both sides" in lines


def test_criteria_that_got_worse_are_told(invoke: Invoke, tmp_path: Path) -> None:
    """Those that nobody can tell are counted, not listed."""
    said = invoke("compare", worse(tmp_path)).stdout.partition("Criteria and tags")[2]
    assert re.search(
        r"^  check 3: 0 % against 100 % on 14 cases \(.+: worse\.$", said, re.MULTILINE
    )
    assert "check 0" not in said
    assert "  1 of 4: can't tell" in said.splitlines()


def test_how_is_shown_when_asked_for(invoke: Invoke, tmp_path: Path) -> None:
    """Method and p stand behind it, never on the surface."""
    root = worse(tmp_path)
    assert "p = " not in invoke("compare", root).stdout
    told = invoke("compare", root, "--how").stdout
    assert "On these 14 cases, counting every way to deal the two sides' labels" in told
    assert "For cases like these: sign-flip permutation test" in told


@pytest.mark.parametrize(
    ("sides", "code"),
    [
        (("iteration-1", "iteration-2"), 1),
        (("iteration-2", "iteration-1"), 0),
        ((), 1),
    ],
)
def test_only_a_regression_ends_with_one(
    invoke: Invoke, tmp_path: Path, sides: tuple[str, ...], code: int
) -> None:
    """And only when it was asked for; an improvement is fine."""
    root = worse(tmp_path)
    assert invoke("compare", root, *sides).exit_code == 0
    done = invoke("compare", root, *sides, "--fail-on-regression")
    assert (done.exit_code, done.stderr) == (code, "")


FOUR, NONE = (4, 4, 4), (0, 0, 0)


@pytest.mark.parametrize(
    ("cases", "first", "second", "word", "code"),
    [
        (8, NONE, FOUR, "better", 0),
        (3, NONE, FOUR, "better on these cases", 0),
        (3, FOUR, FOUR, "can't tell", 0),
        (3, FOUR, NONE, "worse on these cases", 1),
        (8, FOUR, NONE, "worse", 1),
    ],
)
def test_each_of_the_five_words_has_its_exit_code(
    invoke: Invoke,
    tmp_path: Path,
    cases: int,
    first: tuple[int, ...],
    second: tuple[int, ...],
    word: str,
    code: int,
) -> None:
    """Worse on these cases fails too; stderr speaks only where nothing is shown."""
    root = repeated(tmp_path, cases, first, second)
    done = invoke("compare", root, "--fail-on-regression", "--json")
    assert (json.loads(done.stdout)["verdict"]["word"], done.exit_code) == (word, code)
    assert bool(done.stderr) == (word == "can't tell")
    assert invoke("compare", root).exit_code == 0


@pytest.mark.parametrize(
    ("cases", "gate"), [(8, "worse"), (3, "worse on these cases"), (2, "can't tell")]
)
def test_a_gate_that_is_passed_less_often_is_a_regression(
    invoke: Invoke, tmp_path: Path, cases: int, gate: str
) -> None:
    """GA2: B's runs that come through score higher, but fewer do."""
    runs = 5 if cases == 3 else 3
    passes = [True] * runs, [True, *[False] * (runs - 1)]
    done = invoke("compare", gated(tmp_path, cases, *passes), "--fail-on-regression", "--json")
    document = json.loads(done.stdout)
    assert document["verdict"]["word"] == "can't tell"
    assert [one["verdict"]["word"] for one in document["outcomes"]] == [gate]
    assert done.exit_code == (gate != "can't tell")


def test_a_side_that_the_gate_stopped_whole_is_a_regression(invoke: Invoke, tmp_path: Path) -> None:
    """GA3: nothing of it is scored, however few the cases."""
    done = invoke("compare", gated(tmp_path, 1, [True], [False]), "--fail-on-regression", "--json")
    document = json.loads(done.stdout)
    assert (done.exit_code, document["verdict"]["word"]) == (1, "worse on these cases")
    assert document["headline"] == "runs that pass the gate"


@pytest.mark.parametrize("word", get_args(Word))
def test_a_regression_is_a_worse_verdict_or_a_worse_gate(word: Word) -> None:
    """Whichever the other says; time-outs alone already are failed runs of the verdict."""
    bad = word in ("worse", "worse on these cases")
    ended = Slice("outcome", GATE, estimate(1.0), estimate(0.5), verdict(word=word), 0, 7)
    assert regressed(comparison(verdict=verdict(word=word))) == bad
    assert regressed(comparison(outcomes=(ended,))) == bad
    assert regressed(incomparable(outcomes=(ended,))) == bad
    assert not regressed(comparison(outcomes=(replace(ended, name=IN_TIME),)))
    assert not regressed(comparison(outcomes=(replace(ended, verdict=None),)))
    assert improved(comparison(verdict=verdict(word=word))) == word.startswith("better")


def margin(monkeypatch: pytest.MonkeyPatch, *, shown: bool) -> list[float]:
    """Replace the test of a margin by an answer; return the margins that were asked.

    How it is tested belongs to `statistics.not_worse`; here are only its exit codes.
    """
    asked: list[float] = []

    def answer(*request: Any) -> NotWorse:
        asked.append(request[2])
        return NotWorse(shown, "these cases" if shown else None, None, -0.02, request[2])

    monkeypatch.setattr("evalcore.cli.comparing.not_worse_than", answer)
    return asked


@pytest.mark.parametrize(("shown", "code"), [(True, 0), (False, 1)])
def test_a_drop_within_the_margin_must_be_shown(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shown: bool, code: int
) -> None:
    """Points on the command line are parts of 1 inside; the answer stands on stderr."""
    asked = margin(monkeypatch, shown=shown)
    root = repeated(tmp_path, 3, FOUR, FOUR)
    done = invoke("compare", root, "--max-drop", "5", "--json")
    assert (done.exit_code, asked) == (code, [0.05])
    assert json.loads(done.stdout)["not_worse"]["shown"] == shown
    assert "worse by no more than 5 points" in done.stderr


@pytest.mark.parametrize(
    ("second", "shown", "code"), [(NONE, True, 1), (FOUR, True, 0), (FOUR, False, 1)]
)
def test_with_both_rules_either_may_fail(
    invoke: Invoke,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    second: tuple[int, ...],
    shown: bool,
    code: int,
) -> None:
    """A regression within the margin is one; so is a drop that is not ruled out."""
    margin(monkeypatch, shown=shown)
    root = repeated(tmp_path, 3, FOUR, second)
    done = invoke("compare", root, "--fail-on-regression", "--max-drop", "5")
    assert done.exit_code == code


@pytest.mark.parametrize("points", ["-1", "101", "much"])
def test_a_margin_that_is_none_is_wrong_usage(invoke: Invoke, tmp_path: Path, points: str) -> None:
    """From 0 to 100 points."""
    done = invoke("compare", worse(tmp_path), "--max-drop", points)
    assert (done.exit_code, done.stdout) == (2, "")


def test_a_margin_needs_something_that_is_compared(invoke: Invoke, tmp_path: Path) -> None:
    """What is not comparable neither passes nor fails: it is wrong usage, with the reason."""
    root = suite(tmp_path, {"a": (4,), "b": (4,)})
    (root / "iteration-2").mkdir()
    (root / "iteration-1" / "b").rename(root / "iteration-2" / "b")
    done = invoke("compare", root, "--max-drop", "5")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "There is no difference to hold to --max-drop." in done.stderr
    assert "are not comparable" in done.stderr


def test_clusters_are_named_by_their_tag(invoke: Invoke, tmp_path: Path) -> None:
    """Eight cases of one template are one piece of evidence, which the sentence says."""
    root = repeated(tmp_path, 8, NONE, FOUR, tag="template:form")
    document = compared(invoke, root, "--suite", "pdf", "--cluster", "template")
    assert document["clusters"] == {"tags": ["template"], "n": 1}
    assert " on 8 cases in 1 cluster (" in document["sentence"]
    assert compared(invoke, root, "--suite", "pdf")["clusters"] is None


def test_a_cluster_that_no_case_has_is_wrong_usage(invoke: Invoke, tmp_path: Path) -> None:
    """A misspelt tag is not taken for none."""
    root = repeated(tmp_path, 3, NONE, FOUR, tag="template:form")
    done = invoke("compare", root, "--suite", "pdf", "--cluster", "templates", "--json")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "No compared case has the tag 'templates'" in done.stderr


def test_a_lower_mean_alone_is_no_regression(invoke: Invoke, tmp_path: Path) -> None:
    """Of five cases that ran once nothing can be told: stderr says so, with the next step."""
    root = worse(tmp_path, cases=5)
    done = invoke("compare", root, "--fail-on-regression")
    assert done.exit_code == 0
    seen, told, *_ = done.stdout.splitlines()
    assert seen.endswith("on 5 cases (\N{MINUS SIGN}80 points); 5 got worse, none improved.")
    assert told.startswith("Can't tell: two equal versions would look like this in 1 of 16 ")
    assert done.stderr == (f"evalcore: No regression is shown, and no improvement. {seen} {told}\n")


def test_what_is_not_comparable_is_no_regression(invoke: Invoke, tmp_path: Path) -> None:
    """There is no difference in the document, and the reason is on stderr."""
    root = suite(tmp_path, {"a": (4,), "b": (4,)})
    (root / "iteration-1" / "b").rename(root / "moved")
    (root / "iteration-2").mkdir()
    (root / "moved").rename(root / "iteration-2" / "b")
    done = invoke("compare", root, "--json", "--fail-on-regression")
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    assert (document["comparable"], document["verdict"], document["cases"]) == ("nothing", None, [])
    assert document["estimates"] == {"a": None, "b": None}
    assert "are not comparable" in document["sentence"]
    assert "are not comparable" in done.stderr
    shown = invoke("compare", root).stdout
    assert shown.count("Run the missing case (") == 1
    assert "Left out" in shown


def test_a_part_is_compared_and_what_is_left_out_is_counted(invoke: Invoke, tmp_path: Path) -> None:
    """The sentence names the part, and each case that is missing has its reason."""
    root = suite(tmp_path, {f"eval-{n}": (4, 0) if n < 8 else (4,) for n in range(10)})
    document = compared(invoke, root)
    assert document["comparable"] == "part"
    assert ": 0 % against 100 % on the 8 of 10 cases run in both (" in document["sentence"]
    assert [left["reason"] for left in document["left_out"]] == ["only in A", "only in A"]
    shown = invoke("compare", root).stdout
    assert "\n1 caution\n  Not all cases were run on both sides (10 cases" in shown
    assert document["cautions"][0].startswith("Not all cases were run on both sides (10 cases")
    assert "2 cases: 2 run only in iteration-1" in shown


def test_without_a_choice_the_only_suite_that_has_two_sides_is_meant(
    invoke: Invoke, tmp_path: Path
) -> None:
    """A suite with one side is no choice."""
    worse(tmp_path)
    suite(tmp_path, {"eval": (4,)}, name="docx")
    assert compared(invoke, tmp_path)["a"]["suite"] == "pdf"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((DEMO,), "7 suites that can be compared; name one with --suite: release-notes, "),
        ((DEMO, "--suite", "sql-helpr"), "no suite 'sql-helpr'. Did you mean 'sql-helper'?"),
        ((DEMO, "d1", "d9", "--suite", "sql-helper"), "no version 'd9'. "),
        ((DEMO, "d1", "--suite", "sql-helper"), "Name both sides, A and B, or none"),
        ((DEMO, "d1", "d1", "--suite", "sql-helper"), "not compared with itself. There is: d1, d2"),
        ((DEMO, "--with-suite", "x"), "name that with --with."),
        ((DEMO, "--with", DEMO, "--revision-a", "HEAD"), "use one or the other."),
    ],
)
def test_what_names_no_two_sides_is_wrong_usage(
    invoke: Invoke, arguments: tuple[str | Path, ...], words: str
) -> None:
    """One sentence says what there is, and nothing goes to stdout."""
    done = invoke("compare", *arguments, "--json", "--fail-on-regression")
    assert (done.exit_code, done.stdout) == (2, "")
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_one_side_only_is_wrong_usage(invoke: Invoke, tmp_path: Path) -> None:
    """The message names the suite and the one side it has."""
    root = suite(tmp_path, {"eval": (4,)})
    named = invoke("compare", root, "--suite", ".")
    assert named.exit_code == 2
    assert "no two versions or configurations with scores. There is: iteration-1@" in named.stderr
    unnamed = invoke("compare", root)
    assert unnamed.exit_code == 2
    assert f"nothing to compare in {root} yet" in unnamed.stderr
    assert f"with scores ({root.name}). Run the cases in a second version" in unnamed.stderr
    empty = tmp_path / "empty"
    empty.mkdir()
    assert f"No evaluation was found in {empty}" in invoke("compare", empty).stderr


def test_two_folders_are_held_against_each_other(invoke: Invoke, tmp_path: Path) -> None:
    """A comes from the first, B from the second, and the sentence names both."""
    good = suite(tmp_path / "x", {f"eval-{n}": (4,) for n in range(8)}, name="old")
    bad = suite(tmp_path / "y", {f"eval-{n}": (1,) for n in range(8)}, name="new")
    document = compared(invoke, good, "--with", bad)
    assert document["sentence"].startswith(
        "iteration-1 of new-workspace passes less than iteration-1 of old-workspace, "
        "both with_skill: "
    )
    assert (document["a"]["root"], document["b"]["root"]) == (str(good), str(bad))
    turned = compared(invoke, good, "iteration-1", "iteration-1", "--with", bad, "--suite", ".")
    assert turned["verdict"] == document["verdict"]


def test_the_suite_of_the_other_folder_may_have_another_name(
    invoke: Invoke, tmp_path: Path
) -> None:
    """It is named with --with-suite, or it is the only one."""
    suite(tmp_path / "x", {f"eval-{n}": (4,) for n in range(8)}, name="old")
    suite(tmp_path / "y", {f"eval-{n}": (1,) for n in range(8)}, name="new")
    for more in ((), ("--with-suite", "new")):
        document = compared(invoke, tmp_path / "x", "--with", tmp_path / "y", *more)
        assert (document["a"]["suite"], document["b"]["suite"]) == ("old", "new")
    done = invoke("compare", tmp_path / "x", "--with", tmp_path / "y", "--with-suite", "none")
    assert done.exit_code == 2


def overwritten(folder: Path) -> Path:
    """Write a suite, commit it, and write it again with checks that fail in every case."""
    before = suite(folder / "repo", {f"eval-{n}": (4,) for n in range(8)})
    repo = porcelain.init(folder / "repo")
    files = [str(path.relative_to(folder / "repo")) for path in before.rglob("*.json")]
    porcelain.add(repo, [folder / "repo" / name for name in files])
    who = b"A Person <person@example.invalid>"
    porcelain.commit(repo, message=b"first", author=who, committer=who)
    repo.close()
    shutil.rmtree(before)
    return suite(folder / "repo", {f"eval-{n}": (1,) for n in range(8)})


def test_two_revisions_of_a_folder_are_held_against_each_other(
    invoke: Invoke, tmp_path: Path
) -> None:
    """For evaluations that are overwritten: a revision against the folder as it lies."""
    root = overwritten(tmp_path)
    document = compared(invoke, root, "--revision-a", "HEAD")
    assert document["sentence"].startswith(
        "iteration-1 of the working tree passes less than iteration-1 of HEAD, both with_skill:"
    )
    assert (document["a"]["revision"], document["b"]["revision"]) == ("HEAD", None)
    assert document["a"]["root"] == document["b"]["root"] == str(root)
    done = invoke("compare", root, "--revision-a", "HEAD", "--fail-on-regression")
    assert done.exit_code == 1
    same = compared(invoke, root, "--revision-a", "HEAD", "--revision-b", "HEAD")
    assert same["verdict"]["same"] == 8


def test_a_revision_that_is_not_there_is_wrong_usage(invoke: Invoke, tmp_path: Path) -> None:
    """As is one of a folder that git does not keep."""
    kept = overwritten(tmp_path / "kept")
    for root, name in ((kept, "no-such-branch"), (worse(tmp_path), "HEAD")):
        done = invoke("compare", root, "--revision-a", name)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.count("\n") == 1


def examples() -> list[tuple[str, str]]:
    """Return the commands of the README that compare, each with the output shown below it."""
    readme = (ROOT / "README.md").read_text("utf-8")
    found = re.findall(
        r"```sh\nevalcore compare FOLDER ([^\n]+)\n```\n\n```\n(.+?)\n```", readme, re.DOTALL
    )
    assert len(found) == 2
    return found


@pytest.mark.parametrize(("arguments", "shown"), examples())
def test_the_readme_shows_what_is_printed(invoke: Invoke, arguments: str, shown: str) -> None:
    """Its output is the beginning of what its command prints of the demo workspace."""
    said = invoke("compare", DEMO, *arguments.split()).stdout
    assert said.startswith(f"{shown}\n")
    assert shown.splitlines()[-1].endswith(" same")


@pytest.mark.parametrize(
    "family", ["release-notes", "support-agent", "invoice-extractor", "sql-helper", "commit-helper"]
)
def test_every_family_can_be_compared(invoke: Invoke, family: str) -> None:
    """The first two lines of the screen are the sentence of the document."""
    document = compared(invoke, DEMO, "--suite", family)
    seen, told, *_ = invoke("compare", DEMO, "--suite", family).stdout.splitlines()
    assert f"{seen} {told}" == document["sentence"]
    assert document["how"]


def test_names_from_files_cannot_command_the_terminal(invoke: Invoke, tmp_path: Path) -> None:
    """Control characters are escaped, markup is text; the document is ASCII."""
    hostile = "[red]x\x1b[2J\u202e"
    root = suite(tmp_path, {f"{hostile}{n}": (4, 0) for n in range(8)})
    shown = invoke("compare", root).stdout
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[red]x\\x1b[2J\\u202e" in shown
    assert invoke("compare", root, "--json").stdout.isascii()


def test_nothing_of_the_dashboard_is_loaded(tmp_path: Path) -> None:
    """Whoever compares in a pipe does not wait for charts and servers."""
    root = worse(tmp_path)
    done = evalcore("compare", root, home=tmp_path, PYTHONPROFILEIMPORTTIME="1")
    assert done.returncode == 0
    assert done.stdout.startswith(WORSE)
    loaded = set(re.findall(r"\| +(\w+)$", done.stderr, re.MULTILINE))
    assert "numpy" in loaded
    assert loaded & {"plotly", "streamlit", "duckdb", "dulwich"} == set()


def test_people_s_scores_are_told_as_theirs(invoke: Invoke, tmp_path: Path) -> None:
    """The sentence says whose, and a line a side of how many runs and people."""
    shutil.copytree(DEMO / "support-agent", tmp_path / "support-agent")
    said = invoke("compare", tmp_path, "--scores", "human-first").stdout
    assert "by people's scores where there are any" in " ".join(said.split())
    assert "People's scores of " in said
    document = compared(invoke, tmp_path, "--scores", "human-first")
    assert document["scores"] == "human-first"
    assert set(document["people"]["a"]) == {"judged", "runs", "judges", "names"}
    people = [document["people"][side] for side in "ab"]
    assert [len(side["names"]) for side in people] == [side["judges"] for side in people] != [0, 0]
    assert compared(invoke, tmp_path)["people"] == {"a": None, "b": None}
