"""A comparison as Markdown and JUnit: what it says, how long it is, and that nothing in it acts."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from evalcore.charts.data import inert
from evalcore.cli.comparing import Request, Result, run_comparison
from evalcore.cli.comparing_junit import junit
from evalcore.cli.comparing_markdown import MOST, markdown
from evalcore.comparing.model import Break, CasePair, Comparability
from evalcore.counting.outcomes import Column
from evalcore.demo import packaged
from evalcore.views.verdict.sentence import cautions, lead, rest
from tests.cli.conftest import Invoke
from tests.cli.payloads import PAYLOADS
from tests.cli.suites import repeated, suite, worse

COMMENT = 65_536
PARSER = MarkdownIt("commonmark", {"html": True, "linkify": False}).enable(
    ["table", "strikethrough"]
)
REPORT = "https://example.org/report_1.html"
ACTING = re.compile(
    r"(?i)@\w|\w+://|www\.|#\d|\bGH-\d|\b(?=\d*[a-f])[0-9a-f]{7,40}\b|:[a-z+-][\w+-]*:"
)
"""What a site makes of a text that is no code: mentions, addresses, references, small pictures."""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """Return a comparison of 14 cases that all got worse."""
    return run_comparison(Request(worse(tmp_path_factory.mktemp("worse"))))


def text(found: Result, *said: str, report: str = "") -> str:
    """Return the Markdown of a comparison."""
    return "\n".join(markdown(found.comparison, found.a, found.b, said, report))


def leaves(tokens: list[Token]) -> Iterator[Token]:
    """Yield the tokens of a parsed text and what is inside of them."""
    for token in tokens:
        yield token
        yield from token.children or ()


def words(shown: str) -> str:
    """Return what a reader of Markdown shows as plain words, without code."""
    parsed = leaves(PARSER.parse(shown))
    return "\n".join(each.content for each in parsed if each.type in ("text", "text_special"))


def shape(shown: str) -> list[str]:
    """Return the nodes of a Markdown text, without those that hold words."""
    held = {"text", "text_special", "code_inline", "softbreak"}
    return [each.type for each in leaves(PARSER.parse(shown)) if each.type not in held]


def commands(shown: str) -> list[str]:
    """Return the lines that a runner of builds takes for commands."""
    return [line for line in shown.splitlines() if re.match(r"\s*::", line) or "##[" in line]


@pytest.fixture(scope="module")
def usual(found: Result) -> list[str]:
    """Return the nodes of a comparison whose texts are plain words."""
    return shape(text(with_text(found, "word"), "word"))


def with_text(found: Result, payload: str) -> Result:
    """Return a comparison in which every text that comes from a file is a payload."""
    c = found.comparison
    side = Column(payload, payload)
    read = payload.encode(errors="replace").decode()  # as files are read
    a, b = replace(c.a, suite=read), replace(c.b, suite=read)
    broken = Break("judge", payload, payload, (), payload, stops=False, remark=True)
    pairs = tuple(replace(pair, name=payload) for pair in c.pairs[:3])
    c = replace(
        c,
        a=replace(a, column=side, workspace=payload),
        b=replace(b, column=side, workspace=payload),
        comparability=Comparability("part", (broken,), ()),
        suspect=(payload,),
        pairs=pairs,
    )
    return Result(c, found.a, found.b)


def test_it_says_what_the_command_says(found: Result) -> None:
    """Headline, reach and cautions in the words of the command, then the cases."""
    shown, c = words(text(found)), found.comparison
    for sentence in (lead(c), rest(c), *cautions(c)):
        assert sentence in shown
    assert "▼ 14 regressed · ▲ 0 improved · = 0 same" in shown
    assert "pdf-workspace" in shown


def test_a_case_names_the_criterion_that_it_fails(found: Result) -> None:
    """Its value on both sides and the first criterion that changed with it, as on Compare."""
    rows = [line for line in text(found).splitlines() if "| eval-0" in line]
    values = "A 100 % → B 0 % · 1 run each"
    assert rows[0] == f"| ▼ | eval-00 | {values} | −100 points | check 0 |"
    assert len(rows) == 10


def test_at_most_twenty_cases_are_listed(tmp_path: Path) -> None:
    """And it is said how many more there are."""
    many = run_comparison(Request(worse(tmp_path, cases=23)))
    shown = text(many)
    assert shown.count("| ▼ |") == 20
    assert "… and 3 more." in shown


def test_a_report_is_linked_if_it_is_named(found: Result) -> None:
    """It is the only link there ever is."""
    opened = [each for each in leaves(PARSER.parse(text(found, report=REPORT))) if each.attrs]
    assert [each.attrs for each in opened] == [{"href": REPORT}]
    assert "link_open" not in shape(text(found))


@pytest.mark.parametrize("payload", PAYLOADS, ids=range(len(PAYLOADS)))
def test_no_text_of_a_file_acts(found: Result, usual: list[str], payload: str) -> None:
    """No link, picture, mention, reference, HTML or command, and no other node than ours."""
    hostile = text(with_text(found, payload), payload)
    assert shape(hostile) == usual
    assert ACTING.search(words(hostile)) is None
    assert commands(hostile) == []
    assert len(hostile) <= MOST < COMMENT


@given(st.text(alphabet=st.one_of(st.sampled_from("`@:#[]()<>!|\\/w. -\n"), st.characters())))
def test_whatever_the_text_it_stays_words(payload: str) -> None:
    """At the beginning of a cell, of a sentence, and of an item."""
    shown = f"▼ {inert(payload)}\n\n- {inert(payload)} x\n"
    assert set(shape(shown)) <= set(shape("▼ x\n\n- x x\n"))
    assert ACTING.search(words(shown)) is None
    assert commands(shown) == []


def test_it_fits_a_comment_whatever_the_names(found: Result) -> None:
    """It is cut at a case, and counts what is left out."""
    c = found.comparison
    named = CasePair("x", "@" * 200, 1.0, 0.0, "regressed", 1, 1, "r", "r")
    broken = Break("judge", "@" * 900, "#" * 900, (), "<" * 900, stops=False, remark=True)
    huge = replace(c, pairs=(named,) * 900, comparability=Comparability("part", (broken,) * 99, ()))
    shown = text(Result(huge, found.a, found.b), *["@" * 9_000] * 3, report=REPORT)
    assert len(shown) <= MOST
    assert shape(shown)[-2:] == ["inline", "paragraph_close"]
    assert re.search(r"… and 8\d\d more\.", words(shown))


def test_the_summary_of_a_step_is_appended(
    invoke: Invoke, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What another step wrote there stays; stdout has the text as ever."""
    summary = tmp_path / "summary.md"
    summary.write_text("before\n\n", "utf-8")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    root = worse(tmp_path)
    plain = invoke("compare", root).stdout
    assert invoke("compare", root, "--summary").stdout == plain
    shown = invoke("compare", root, "--markdown").stdout
    assert summary.read_text("utf-8") == f"before\n\n{shown}\n"


@pytest.mark.parametrize(
    ("options", "words_of"),
    [
        (("--summary",), "--summary needs GITHUB_STEP_SUMMARY"),
        (("--report", "javascript:alert(1)"), "begins with https:// or http://"),
        (("--report", "https://x/>[y](z)"), "begins with https:// or http://"),
    ],
)
def test_what_cannot_be_handed_on_is_wrong_usage(
    invoke: Invoke,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    options: tuple[str, ...],
    words_of: str,
) -> None:
    """Before anything is compared."""
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    done = invoke("compare", worse(tmp_path), *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert words_of in done.stderr


@pytest.mark.parametrize(
    ("second", "least", "code", "said"),
    [
        ((4, 4, 0), "0.6", 0, "66.7 %, at least 60 % as asked."),
        ((4, 4, 0), "0.9", 1, "66.7 %, below the least of 90 %."),
        ((4, 4, 4), "1", 0, "100 %, at least 100 % as asked."),
    ],
)
def test_a_least_rate_is_held_as_it_is(
    invoke: Invoke, tmp_path: Path, second: tuple[int, ...], least: str, code: int, said: str
) -> None:
    """Whatever chance did to it, and whatever A did."""
    root = repeated(tmp_path, 3, (4, 4, 4), second)
    done = invoke("compare", root, "--min-rate", least)
    assert done.exit_code == code
    assert said in done.stderr
    assert said in invoke("compare", root, "--min-rate", least, "--markdown").stdout


@pytest.mark.parametrize("least", ["90", "-0.1", "most"])
def test_a_rate_that_is_none_is_wrong_usage(invoke: Invoke, tmp_path: Path, least: str) -> None:
    """From 0 to 1."""
    assert invoke("compare", worse(tmp_path), "--min-rate", least).exit_code == 2


def test_a_least_rate_needs_something_that_is_compared(invoke: Invoke, tmp_path: Path) -> None:
    """Without a rate it neither passes nor fails."""
    root = suite(tmp_path, {"a": (4,), "b": (4,)})
    (root / "iteration-2").mkdir()
    (root / "iteration-1" / "b").rename(root / "iteration-2" / "b")
    done = invoke("compare", root, "--min-rate", "0.9")
    assert done.exit_code == 2
    assert "There is no rate to hold to --min-rate." in done.stderr


def test_junit_has_a_test_for_each_run_of_b(invoke: Invoke, tmp_path: Path) -> None:
    """With its time, and what failed in it."""
    file = tmp_path / "junit.xml"
    root = repeated(tmp_path, 3, (4, 4), (4, 1))
    assert invoke("compare", root, "--junit", file, "--json").exit_code == 0
    (made,) = ElementTree.parse(file).getroot()
    assert (made.get("tests"), made.get("failures"), made.get("errors")) == ("6", "3", "0")
    assert made.get("name") == "pdf@iteration-2, with_skill"
    tests = made.findall("testcase")
    assert len({each.get("name") for each in tests}) == 6
    failed = [each.find("failure") for each in tests if each.find("failure") is not None]
    assert failed[0] is not None
    assert failed[0].text == "✗ check 1\n✗ check 2\n✗ check 3"


def test_a_run_without_a_result_is_skipped_or_in_error(tmp_path: Path) -> None:
    """The demo has one that timed out; nothing of it is taken for passed."""
    found = run_comparison(Request(packaged(), suite="release-notes"))
    (made,) = ElementTree.fromstring(junit(found.comparison, found.b))
    tests = made.findall("testcase")
    counts = {
        name: sum(each.find(name) is not None for each in tests)
        for name in ("failure", "error", "skipped")
    }
    assert made.get("failures") == str(counts["failure"])
    assert made.get("skipped") == str(counts["skipped"]) == "1"


def test_junit_is_xml_whatever_the_words(tmp_path: Path) -> None:
    """Words of files are text and attributes, never elements."""
    root = suite(tmp_path, {f"eval-{at}": (4, 1) for at in range(len(PAYLOADS))})
    for at, payload in enumerate(PAYLOADS):
        file = root / f"iteration-2/eval-{at}/with_skill/grading.json"
        grading = json.loads(file.read_text("utf-8"))
        for each in grading["expectations"]:
            each["text"] = f"{payload} {each['text']}"
        file.write_text(json.dumps(grading), "utf-8")
    found = with_text(run_comparison(Request(root)), PAYLOADS[0])
    (made,) = ElementTree.fromstring(junit(found.comparison, found.b))
    tags = [each.tag for each in made.iter()]
    assert tags == ["testsuite", "properties", "property", *["testcase", "failure"] * len(PAYLOADS)]
