"""Whether a suggestion was taken up, told by what stands in the next version."""

from pathlib import Path

import pytest

from evalcore.comparing.content import Changes, FileChange
from evalcore.comparing.model import Side
from evalcore.comparing.suggestions import Suggestion, is_applied, suggestions
from evalcore.comparing.version_texts import Content
from evalcore.counting.outcomes import Column
from evalcore.tables.rows import AnalysisRow
from tests import made

A = """# Release notes

1. Read the commits between the two tags.
2. Group what is left under Added, Changed, Fixed.

Be brief. Answer in the language of the request.
"""


def status(before: str | None, after: str | None, b: str, a: str = A) -> str:
    """Return only the word."""
    return is_applied(before, after, a, b).status


LIMIT = "Keep the whole text under 120 words. Cut from the bottom up."


def test_what_is_asked_for_and_stands_in_b_alone_is_applied() -> None:
    """The new text is there, and it was not before."""
    assert status("Be brief.", LIMIT, A.replace("Be brief.", LIMIT)) == "applied"


@pytest.mark.parametrize(
    "written",
    [
        "**Keep the whole text** under 120 words.\n  Cut from the bottom up",
        "- keep the whole text under\n  120 words; cut from the bottom up!",
        "7. Keep the whole text under `120` words.\n8. Cut from the “bottom” up.",
    ],
)
def test_marks_breaks_numbers_and_case_do_not_count(written: str) -> None:
    """A passage is the same when it reads the same."""
    asked = LIMIT.replace("bottom", '"bottom"') if "“" in written else LIMIT
    assert status("Be brief.", asked, f"# Notes\n\n{written}\n") in ("applied", "partly")
    assert status("Be brief.", asked.replace("; ", ". "), f"{A}\n{asked}\n") == "applied"


def test_half_of_what_is_asked_for_is_partly() -> None:
    """One of two new sentences stands there; the answer counts them."""
    told = is_applied("Be brief.", LIMIT, A, A + "Keep the whole text under 120 words.")
    assert (told.status, "1 of the 2" in told.why) == ("partly", True)


def test_a_passage_that_goes_on_is_found() -> None:
    """The end of a sentence may be written on."""
    asked = "Drop a commit and its revert together."
    assert status(None, asked, A + "Drop a commit and its revert together: search for both.") == (
        "applied"
    )


def test_what_is_kept_of_a_passage_does_not_count_as_done() -> None:
    """A suggestion often repeats what it leaves: only its new sentences are asked for."""
    before = "Answer in the language of the request."
    after = f"{before} Keep one term for each concept."
    assert status(before, after, A) == "not applied"
    assert status(before, after, A + "Keep one term for each concept.") == "applied"


def test_an_untouched_passage_is_not_applied() -> None:
    """B still says what was to be replaced, and nothing of what was asked."""
    after = "Group what is left under Breaking changes, Added, Changed, Fixed."
    assert status("Group what is left under Added, Changed, Fixed.", after, A) == "not applied"


def test_a_passage_rewritten_in_other_words_is_partly() -> None:
    """What was to go is gone; that it was replaced as asked cannot be said."""
    b = A.replace("Be brief.", "No more than a screen of text.")
    assert status("Be brief.", LIMIT, b) == "partly"


def test_shortening_a_passage_is_applied() -> None:
    """The shorter form stood in A as a part of the longer one."""
    a = "Read the commits between the two tags. Then read them again."
    b = "Read the commits between the two tags."
    assert status(a, b, b, a) == "applied"
    assert status(a, b, a, a) == "not applied"


@pytest.mark.parametrize(
    "summary",
    [
        "Add a section about security fixes with the affected versions",
        "Explain the output format more clearly",
        "Consider adding examples for monorepos",
    ],
)
def test_a_summary_is_never_held_for_not_done(summary: str) -> None:
    """It quotes nothing, so that its words are missing in B says nothing."""
    assert status(None, summary, A) == "unknown"
    assert (
        status("The prompt is unclear", summary, A + "## Security\n\nName versions.") == "unknown"
    )


@pytest.mark.parametrize("after", [None, "", "  ", "Yes.", "—", "..."])
def test_too_little_to_look_for_is_not_told(after: str | None) -> None:
    """A few letters stand everywhere."""
    assert status("Be brief.", after, A) == "unknown"


def test_what_stood_in_a_already_is_not_told() -> None:
    """It was not done from A to B, and it is not missing either."""
    assert status(None, "Answer in the language of the request.", A) == "unknown"


def test_a_quoted_line_that_is_missing_is_not_applied_without_before() -> None:
    """It shares a long run with A, so it is text meant for the file."""
    after = "Read the commits between the two tags and the issues they name."
    assert status(None, after, A) == "not applied"


def test_signs_without_spaces_need_fewer_characters() -> None:
    """Ten letters of Latin are about as much as five of Japanese."""
    a = "短く書く。依頼の言語で答える。"
    assert status(
        "短く書く。", "百二十語以内に収める。", a.replace("短く書く。", "百二十語以内に収める。"), a
    ) == ("applied")


def test_texts_of_two_files_are_not_one_passage(tmp_path: Path) -> None:
    """What ends one file and begins the next was written by nobody."""
    changes = contents({"a.md": A}, {"a.md": "Never cut", "b.md": "breaking changes short"})
    found = found_in(
        tmp_path, suggestion(after="Never cut breaking changes short"), changes=changes
    )
    assert found[0].status != "applied"


def suggestion(winner: str | None = "v1", loser: str | None = "v0", **given: object) -> AnalysisRow:
    """Return a suggestion of an analysis of two versions."""
    base: dict[str, object] = {
        "suite": made.SUITE,
        "winner_version": winner,
        "loser_version": loser,
        "kind": "suggestion",
        "after": LIMIT,
    }
    return made.row(AnalysisRow, **{**base, **given})


def contents(a: dict[str, str] | None, b: dict[str, str] | None) -> Changes:
    """Return the texts of two sides as they would be read."""
    files = (FileChange("a.md", "changed", "", ""),)
    return Changes(Content("a", a), Content("b", b), files, 0, "")


def found_in(
    root: Path, *rows: AnalysisRow, a: str = "v1", b: str = "v2", changes: Changes | None = None
) -> tuple[Suggestion, ...]:
    """Return the suggestions between two of four versions."""
    versions = [made.version(f"v{number}", number) for number in range(4)]
    ws = made.workspace(root, made.suite(), *versions, *rows)
    first, second = (Side(ws, made.SUITE, Column(version, "-")) for version in (a, b))
    changes = changes or contents({"SKILL.md": A}, {"SKILL.md": A + LIMIT})
    return suggestions(first, second, changes)


@pytest.mark.parametrize(
    ("winner", "loser", "counts"),
    [
        ("v1", "v0", True),
        ("v0", "v1", True),
        ("v1", None, True),
        (None, "v1", True),
        ("v2", "v1", False),
        ("v0", None, False),
        (None, None, False),
        ("other", "v9", False),
    ],
)
def test_an_analysis_asks_for_changes_of_its_later_version(
    tmp_path: Path, winner: str | None, loser: str | None, counts: bool
) -> None:
    """Whichever won: what is suggested of v0 and v1 is looked for in what came after v1."""
    found = found_in(tmp_path, suggestion(winner, loser))
    assert [(each.version, each.status) for each in found] == (
        [("v1", "applied")] if counts else []
    )


def test_versions_between_the_sides_count(tmp_path: Path) -> None:
    """From v0 to v3 all that was suggested on the way may have been taken up."""
    rows = [suggestion("v0", None), suggestion("v2", "v1"), suggestion("v3", "v2")]
    found = found_in(tmp_path, *rows, a="v0", b="v3")
    assert [each.version for each in found] == ["v0", "v2"]


def test_going_back_nothing_was_suggested(tmp_path: Path) -> None:
    """With the later version as A there is no step in which it could have been done."""
    assert found_in(tmp_path, suggestion(), a="v2", b="v1") == ()


def test_findings_that_ask_for_nothing_are_left_out(tmp_path: Path) -> None:
    """Strengths and weaknesses are no suggestions; another finding with a new text is one."""
    rows = [suggestion(kind="strength", after=None), suggestion(kind="finding")]
    assert [each.row.kind for each in found_in(tmp_path, *rows)] == ["finding"]


def test_without_texts_nothing_is_told(tmp_path: Path) -> None:
    """The suggestion is listed, and why nothing can be said of it."""
    found = found_in(tmp_path, suggestion(), changes=contents(None, {"SKILL.md": A}))
    assert [(each.status, "not saved" in each.why) for each in found] == [("unknown", True)]
