"""A case handed on as Markdown says what failed, and nothing in it can become markup."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evalcore.errors import UnknownName
from evalcore.tables.rows import Row
from evalcore.views.run.case_markdown import block, case_markdown, failing_markdown, span
from evalcore.views.run.evidence import Evidence, Excerpt, evidence
from evalcore.views.run.quotes import Found
from tests import made

PARSER = MarkdownIt("commonmark").enable("table")


def failing_run(root: Path) -> Evidence:
    """Return a run of which one criterion failed, one passed and one was not judged."""
    (root / "out").mkdir(exist_ok=True)
    (root / "out/form.md").write_text("# Form\n\nName: ____\nDate of birth: ____\n")
    ws = made.workspace(
        root,
        made.suite(),
        made.case(name="Forms", source="evals.json", pointer="/cases/0"),
        made.criterion(
            "birth",
            description="Asks for the place of birth",
            required=True,
            guide='{"1": "not asked", "5": "asked and explained"}',
            position=0,
        ),
        made.criterion("never", description="Was never judged", position=1),
        made.run(outputs="out", score=3.0, max_score=5.0, passed=False, configuration="with_skill"),
        made.judgment(
            "birth",
            False,
            score=2.0,
            rationale="Only the date is asked.",
            evidence='It says "Date of birth" and no more.',
        ),
        made.judgment("name"),
    )
    return evidence(ws, "r1")


def test_a_case_says_what_failed_why_and_where(tmp_path: Path) -> None:
    """Case, prompt, failed criterion, score, reasons, quote, output and sources are all there."""
    text = case_markdown(failing_run(tmp_path))
    for line in (
        "# Case `Forms`",
        "- Version `v0`",
        "- Configuration `with_skill`",
        "- Run 1 of 1",
        "- Result: failed, 3 of 5",
        "- Source: `grading/r1.json`",
        "- Defined in: `evals.json` at `/cases/0`",
        "Make a form.",
        "Expected: not recorded.",
        "## ✗ `Asks for the place of birth`",
        "- Score: 2 of 5",
        "- That score means: `between 1: not asked and 5: asked and explained`",
        "- Required",
        "- Judged in: `grading/r1.json` at `/results/birth`",
        "Only the date is asked.",
        "- `Date of birth`: found in `out/form.md`, line 4",
        "## · `Was never judged`",
        "- Result: not scored: `the grading has no judgment of it`",
        "1 other criterion passed or was only scored.",
        "## Output `out/form.md`, from line 1",
        "Date of birth: ____",
    ):
        assert line in text.split("\n"), f"{line}\n\nis missing in\n\n{text}"


def test_a_run_without_output_says_so(tmp_path: Path) -> None:
    """Missing output is said, not left out."""
    ws = made.workspace(tmp_path, made.suite(), made.run(), made.judgment("a", False))
    assert "no output file" in case_markdown(evidence(ws, "r1"))


def skeleton(text: str) -> list[object]:
    """Return the structure of a Markdown text as a real parser sees it, without any content."""
    found: list[object] = []
    for token in PARSER.parse(text):
        children = [child.type for child in token.children or []]
        found.append((token.type, token.tag, token.info, children))
    return found


def with_text(found: Evidence, text: str) -> Evidence:
    """Return the evidence with every text that comes from a workspace replaced."""
    item = replace(
        found.items[0],
        criterion=f"{text} label",
        description=text,
        rationale=text,
        evidence=text,
        anchor=text,
        source=text,
        pointer=text,
        quotes=(Found(text, text, 3, "exact"), Found(text)),
    )
    missing = replace(item, mark="unscored", reason=text, quotes=())
    case = replace(found.case, name=text, prompt=text, expected=text, source=text, pointer=text)
    run = found.run._replace(
        version=text, configuration=text, source=text, pointer=text, status=text
    )
    return replace(
        found,
        case=case,
        run=run,
        items=(item, missing),
        structural=(replace(item),),
        excerpt=Excerpt(text, 3, text),
    )


HOSTILE = st.text(
    alphabet=st.one_of(
        st.sampled_from("`~#*_[]()<>!|-+=\\\n\r\t :1.&@\x00\u2028\x0c"), st.characters()
    ),
    min_size=1,
    max_size=80,
).filter(str.strip)


@pytest.fixture(scope="module")
def failing(tmp_path_factory: pytest.TempPathFactory) -> Evidence:
    """Return the failing run, made once for all examples."""
    return failing_run(tmp_path_factory.mktemp("failing"))


@given(text=HOSTILE)
@example(text="```\n# Heading\n```")
@example(text="`````\n![x](http://example.com/x.png)\n``````")
@example(text="</details><script>alert(1)</script>\n\n<img src=x onerror=alert(1)>")
@example(text="~~~\n[link](javascript:alert(1))\n~~~")
@example(text="a\r```\r# b")
@example(text="text\n===\n\n| a | b |\n|---|---|\n\n[1]: http://example.com")
@example(text="`")
@example(text="\\`")
@example(text="\ud800 half of a pair")
def test_no_text_of_a_workspace_becomes_markup(text: str, failing: Evidence) -> None:
    """Whatever the texts hold, a Markdown parser sees the structure that plain words would give."""
    hostile = case_markdown(with_text(failing, text))
    assert skeleton(hostile) == skeleton(case_markdown(with_text(failing, "word")))


@given(text=HOSTILE)
def test_a_block_keeps_its_text(text: str) -> None:
    """What a parser reads out of a fenced block is the text, with line feeds as line ends."""
    (token,) = PARSER.parse("\n".join(block(text)))
    assert token.type == "fence"
    if text.isprintable():
        assert token.content == f"{text}\n"


def test_a_span_is_one_bounded_line() -> None:
    """Names stay on one line and are cut where they would flood it."""
    assert span("a\n# b") == "`a # b`"
    assert span("`x`") == "`` `x` ``"
    assert span(" \n ") == "(empty)"
    assert len(span("x" * 10_000)) < 310


def test_long_texts_are_cut_and_say_so() -> None:
    """A rationale of megabytes does not make a handout of megabytes."""
    lines = block("x" * 100_000, limit=100)
    assert lines[1:] == ["x" * 100, "```", "(cut after 100 characters)"]


def many(*extra: Row) -> list[Row]:
    """Return two cases in two versions: case-1 fails twice in v1, case-2 passes everywhere."""
    return [
        made.suite(),
        made.version("v0", 0),
        made.version("v1", 1),
        made.case(case_id="case-1"),
        made.case(case_id="case-2"),
        made.run(run_id="old", passed=True),
        made.run(run_id="r1", version="v1", passed=False),
        made.run(run_id="r2", version="v1", run="2", passed=False, source="grading/r2.json"),
        made.run(run_id="fine", case_id="case-2", version="v1", passed=True),
        made.judgment("a", False),
        made.judgment("a", False, run_id="r2"),
        made.judgment("b", False, run_id="r2"),
        *extra,
    ]


def test_failing_cases_come_with_their_worst_run(tmp_path: Path) -> None:
    """Each failing case is written once, by the run with the most failed criteria."""
    text = failing_markdown(made.workspace(tmp_path, *many()), made.SUITE, "v1")
    assert text.startswith("# Failing cases of `skills/pdf`, version `v1`\n")
    assert "1 case with a failed run" in text
    assert text.count("## Case") == 1
    assert "grading/r2.json" in text
    assert "case-2" not in text


def test_where_nothing_fails_it_is_said(tmp_path: Path) -> None:
    """A version without failures, and a configuration without runs, give one sentence."""
    ws = made.workspace(tmp_path, *many())
    assert "No case fails here." in failing_markdown(ws, made.SUITE, "v0")
    assert "No case fails here." in failing_markdown(ws, made.SUITE, "v1", "other")


def test_an_unknown_suite_is_an_error(tmp_path: Path) -> None:
    """Asking for a suite that is not there is the caller's fault."""
    with pytest.raises(UnknownName, match="no suite"):
        failing_markdown(made.workspace(tmp_path, *many()), "nothing", "v1")
