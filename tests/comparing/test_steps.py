"""Two runs are aligned by what they used, and two versions are measured by what their runs did."""

from pathlib import Path

import pytest

from evalcore import open_workspace
from evalcore.comparing.compare import compare
from evalcore.comparing.model import Measure
from evalcore.comparing.sides import side_of
from evalcore.comparing.steps import StepMeasures, aligned, step_measures
from evalcore.steps.model import Step, Steps
from evalcore.steps.reading import read_steps
from tests.stepped import Call, bash, events, read, workspace

A, B, C, D = (read(name) for name in "abcd")


def told(calls: list[Call]) -> Steps:
    """Return the steps of a run that used these tools."""
    return read_steps(events(*calls).encode())


def brief(step: Step | None) -> str:
    """Return the first argument of a call."""
    return "-" if step is None else str(next(iter(step.arguments.values())))


@pytest.mark.parametrize(
    ("a", "b", "pairs"),
    [
        ([A, B], [A, B], ["a=a", "b=b"]),
        ([A, B, C], [A, C], ["a=a", "b.-", "c=c"]),
        ([A, C], [A, B, C], ["a=a", "-.b", "c=c"]),
        ([A, bash("make")], [A, bash("make all")], ["a=a", "make~make all"]),
        ([A, bash("make")], [bash("ls"), A], ["-.ls", "a=a", "make.-"]),
        ([A, B], [C, bash("ls"), D], ["a~c", "-.ls", "b~d"]),
        ([A], [], ["a.-"]),
    ],
)
def test_calls_are_aligned_by_tool_and_argument(
    a: list[Call], b: list[Call], pairs: list[str]
) -> None:
    """The same calls first; between them those of one tool; what is left is of one side only."""
    signs = {"same": "=", "tool": "~", "only": "."}
    found = aligned(told(a), told(b))
    assert [f"{brief(pair.a)}{signs[pair.kind]}{brief(pair.b)}" for pair in found] == pairs
    assert [pair.parts for pair in found] == ["=" not in pair for pair in pairs]


def test_the_same_call_parts_two_runs_where_it_fails_in_one() -> None:
    """What it gave may differ, whether it worked may not."""
    (ok,) = aligned(told([bash("make", "1 s")]), told([bash("make", "2 s")]))
    (bad,) = aligned(told([bash("make")]), told([bash("make", failed=True)]))
    assert (ok.kind, ok.parts, bad.kind, bad.parts) == ("same", False, "same", True)


def test_without_tools_what_was_said_is_aligned() -> None:
    """A run of words only has no calls."""
    (pair,) = aligned(told([]), told([]))
    assert (pair.kind, pair.a and pair.a.text) == ("same", "Done.")


def test_thousands_of_calls_that_are_all_alike_are_aligned_in_bounded_work() -> None:
    """The worst input of difflib."""
    found = aligned(told([bash("ls")] * 4_000), told([bash("pwd"), *[bash("ls")] * 3_999]))
    assert 4_000 <= len(found) <= 8_000


def measured(root: Path) -> StepMeasures:
    """Return the measures of two versions of three cases; of the third one side tells nothing."""
    ws = open_workspace(root, cache=False)
    a, b = (side_of(ws, "s", f"iteration-{number}") for number in (1, 2))
    return step_measures(a, b, compare(a, b).pairs)


def test_what_runs_did_is_measured_over_cases(tmp_path: Path) -> None:
    """Means and intervals as those of time and cost; without a transcript nothing is measured."""
    wrong = bash("make", failed=True)
    runs = {
        "iteration-1/one": [A],
        "iteration-1/two": [A, B],
        "iteration-1/three": [A],
        "iteration-2/one": [A, wrong],
        "iteration-2/two": [A, B, wrong, wrong],
    }
    files = {place: {"transcript.jsonl": events(*calls)} for place, calls in runs.items()}
    found = measured(workspace(tmp_path, {**files, "iteration-2/three": {}}))
    named = {one.name: one for one in (*found.measures, *found.tools)}
    assert (found.told, found.runs) == ((3, 2), (3, 3))
    assert _brief(named["turns"]) == (2.5, 4.0, 1.5, 2)
    assert _brief(named["errors"]) == (0.0, 1.5, 1.5, 2)
    assert _brief(named["Read"]) == (1.5, 1.5, 0.0, 2)
    assert _brief(named["Bash"]) == (0.0, 1.5, 1.5, 2)
    assert _brief(named["tokens"]) == (18.0, 36.0, 18.0, 2)
    errors = named["errors"]
    assert errors.low is not None
    assert errors.high is not None
    assert errors.low < 1.5 < errors.high


def test_whether_the_skill_was_used_is_derived_from_steps(tmp_path: Path) -> None:
    """Where nothing states it: by the tool of skills, or by reading its SKILL.md."""
    used = {"transcript.jsonl": events(read("skills/s/SKILL.md"))}
    asked = {"transcript.jsonl": events(("Skill", {"skill": "s"}, ""))}
    other = {"transcript.jsonl": events(read("notes.md"))}
    runs = {
        "iteration-1/one": used,
        "iteration-1/two": asked,
        "iteration-2/one": other,
        "iteration-2/two": asked,
    }
    root = workspace(tmp_path, runs, **{"s/SKILL.md": "---\nname: s\ndescription: Use\n---\n"})
    skill = next(one for one in measured(root).measures if one.name == "used the skill")
    assert _brief(skill) == (1.0, 0.5, -0.5, 2)


def _brief(one: Measure) -> tuple[float | None, float | None, float | None, int]:
    return one.a, one.b, one.difference, one.cases
