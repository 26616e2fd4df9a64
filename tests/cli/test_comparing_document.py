"""`evalcore compare --json`: one document, whose every name docs/ci.md explains."""

import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

from evalcore.cli.answering import json_text
from evalcore.cli.comparing_document import as_document
from evalcore.comparing.model import (
    Break,
    Clusters,
    Comparability,
    CriterionDifference,
    Gates,
    Lost,
    LostReason,
    LostRuns,
    OtherCriterion,
    People,
    SharedCriteria,
    Slice,
    Weighted,
    What,
)
from evalcore.comparing.outcomes import GATE
from evalcore.statistics.not_worse import NotWorse
from evalcore.statistics.verdict import Kind, Word
from tests.cli.command import ROOT
from tests.cli.conftest import Invoke
from tests.cli.suites import worse
from tests.views.verdicts import comparison, estimate, verdict

PARTS: dict[Any, str] = {
    Lost: "`lost`",
    Break: "`breaks`",
    OtherCriterion: "`breaks`",
    SharedCriteria: "`shared_criteria`",
    Weighted: "`weighted`",
    Clusters: "`clusters`",
    NotWorse: "`not_worse`",
    People: "`people`",
    Gates: "`gates`",
}
"""The parts of the document that most comparisons do not have, and the row that explains them."""
CHOICES: dict[Any, str] = {LostReason: "`lost`", CriterionDifference: "`breaks`", What: "`breaks`"}


def compared(invoke: Invoke, root: Path) -> dict[str, Any]:
    """Return the document of the default comparison of a folder."""
    document: dict[str, Any] = json.loads(invoke("compare", root, "--json").stdout)
    return document


def document(drop: NotWorse | None = None, **given: Any) -> dict[str, Any]:
    """Return the document of a comparison made by hand."""
    text = json_text(as_document(comparison(**given), ({"key": "v3"}, {"key": "v4"}), drop))
    found: dict[str, Any] = json.loads(text)
    return found


def test_the_document_holds_all_of_it(invoke: Invoke, tmp_path: Path) -> None:
    """Full precision, null for what is missing, and nothing beside it on stdout."""
    root = worse(tmp_path)
    found = compared(invoke, root)
    assert found["schema"] == 1
    assert found["a"] == {
        "root": str(root),
        "revision": None,
        "suite": ".",
        "version": "iteration-1",
        "configuration": "with_skill",
        "key": "iteration-1@with_skill",
        "name": "iteration-1",
    }
    verdict = found["verdict"]
    assert (verdict["word"], verdict["kind"], verdict["up"], verdict["down"]) == (
        "worse",
        None,
        0,
        14,
    )
    assert verdict["difference"] == pytest.approx(-(14 - 13 / 4) / 14, abs=1e-12)
    assert verdict["p"] == 2 / 2**14
    assert found["sentence"].startswith("iteration-2 passes less than iteration-1, both with_skill")
    assert [case["change"] for case in found["cases"]] == ["regressed"] * 14
    assert found["cases"][0]["run_b"] == ".::eval-00@iteration-2/with_skill#1"
    assert [found["name"] for found in found["criteria"]] == [f"check {n}" for n in range(4)]
    time, tokens, cost = found["measures"]
    assert (time["a"], time["b"], time["cases"]) == (10.0, 20.0, 14)
    assert tokens["difference"] == 0
    assert (cost["a"], cost["difference"], cost["cases"]) == (None, None, 0)
    assert found["repeats"] == {"a": None, "b": None}


def test_the_manual_names_every_part_of_the_document(invoke: Invoke, tmp_path: Path) -> None:
    """What `--json` prints and what docs/ci.md explains are the same names."""
    found = compared(invoke, worse(tmp_path))
    table = (ROOT / "docs" / "ci.md").read_text("utf-8").partition("## The document")[2]
    rows = re.findall(r"^\| (`.+?) \| (.+) \|$", table, re.MULTILINE)
    assert [name for row, _ in rows for name in re.findall(r"`(\w+)`", row)] == list(found)
    words = {row: set(re.findall(r"`([\w ']+)`", said)) for row, said in rows}
    assert set(found["a"]) <= words["`a`, `b`"]
    assert set(found["verdict"]) <= words["`verdict`"]
    assert set(found["cases"][0]) <= words["`cases`"]
    assert set(found["criteria"][0]) <= words["`criteria`, `tags`"] | {"a", "b"}
    assert set(found["measures"][0]) <= words["`measures`"]
    assert set(found["lost"]) - {"a", "b"} <= words["`lost`"]
    assert set(get_args(Word)) <= words["`verdict`"]
    assert set(get_args(Kind)) <= words["`verdict`"]
    for part, name in PARTS.items():
        assert {field.name for field in fields(part)} - {"a", "b"} <= words[name], name
    for choices, name in CHOICES.items():
        assert set(get_args(choices)) <= words[name], name


def test_what_most_comparisons_lack_is_null_or_empty() -> None:
    """The names stand there all the same."""
    found = document()
    nothing = {"a": [], "b": [], "unequal": False, "low": None, "high": None, "without": None}
    assert found["lost"] == nothing
    for name in ("shared_criteria", "weighted", "clusters", "not_worse", "gates"):
        assert found[name] is None
    assert (found["alike"], found["outcomes"]) == ([], [])


def test_what_was_lost_is_listed_for_each_side() -> None:
    """With the reason, how many of how many, and what it could change."""
    lost = LostRuns(
        (), (Lost("runs", "excluded", 14, 28),), unequal=True, low=0.0, high=0.5, without="better"
    )
    assert document(lost=lost)["lost"] == {
        "a": [],
        "b": [{"what": "runs", "why": "excluded", "n": 14, "of": 28}],
        "unequal": True,
        "low": 0.0,
        "high": 0.5,
        "without": "better",
    }


def test_shared_criteria_weights_and_clusters_are_told() -> None:
    """How many of how many, both weighted means, tags and number."""
    found = document(
        criteria=SharedCriteria(13, 14),
        weighted=Weighted(0.94, 0.06),
        clusters=Clusters(("topic",), 7),
        alike=(("x", "y", "z"),),
    )
    assert found["shared_criteria"] == {"shared": 13, "asked": 14}
    assert found["weighted"] == {"a": 0.94, "b": 0.06}
    assert found["clusters"] == {"tags": ["topic"], "n": 7}
    assert found["alike"] == [["x", "y", "z"]]


def test_an_outcome_is_told_as_a_criterion() -> None:
    """Its name, both estimates, a verdict of its own."""
    ended = Slice("outcome", GATE, estimate(1.0), estimate(0.5), verdict(word="worse"), 0, 7)
    (found,) = document(outcomes=(ended,))["outcomes"]
    assert set(found) == {"name", "a", "b", "verdict", "up", "down"}
    assert (found["name"], found["verdict"]["word"], found["down"]) == (GATE, "worse", 7)


def test_a_remark_is_told_with_its_sentence() -> None:
    """Another model leaves nothing out."""
    model = Break("executor", "small", "large", (), "run v3 again", stops=False, remark=True)
    (found,) = document(comparability=Comparability("whole", (model,), ()))["breaks"]
    assert (found["what"], found["stops"], found["remark"]) == ("executor", False, True)
    assert found["sentence"].startswith("Another model did the work")


def test_a_criterion_that_is_not_shared_is_told_with_both_wordings() -> None:
    """And why."""
    other = OtherCriterion("x", "expectation", "At least 5", "At least 1", "other number")
    broken = Break("criteria", "", "", ("x",), "judge again", stops=False, criteria=(other,))
    (found,) = document(comparability=Comparability("part", (broken,), ()))["breaks"]
    assert found["criteria"] == [
        {
            "case_id": "x",
            "kind": "expectation",
            "a": "At least 5",
            "b": "At least 1",
            "why": "other number",
        }
    ]


def test_the_answer_on_a_margin_is_told() -> None:
    """Shown or not, for which cases, how low it may be, and the margin itself."""
    assert document(NotWorse(True, "these cases", None, -0.02, 0.05))["not_worse"] == {
        "shown": True,
        "on": "these cases",
        "low": None,
        "these_low": -0.02,
        "margin": 0.05,
    }
