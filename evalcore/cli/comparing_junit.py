"""The runs of B as JUnit XML, for programs that show the tests of a build."""

from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from evalcore.charts.text import plain
from evalcore.comparing.model import Comparison, Side
from evalcore.counting.cells import typed
from evalcore.counting.choices import suite_names
from evalcore.counting.outcomes import RUN_MARKS
from evalcore.counting.score_source import outcomes_by
from evalcore.families.base import UNFINISHED
from evalcore.tables.rows import RunRow
from evalcore.views.run.evidence import evidence
from evalcore.views.run.head import verdict
from evalcore.views.verdict.sentence import sentence
from evalcore.views.verdict.sides import side_words
from evalcore.views.words.wording import line

EXPLAINED: Final = 200
"""So many failed runs name their criteria; of the others it is said how many failed."""
_NAME: Final = 300
_LONGEST: Final = 1_500


def junit(c: Comparison, b: Side) -> bytes:
    """Return every run of B as a test: passed, failed, in error, or skipped where it has neither.

    The sentence of the comparison is a property of the suite.
    """
    found = outcomes_by(b.ws, b.suite, c.scores)
    here = found.runs[found.runs["column"] == found.columns.index(b.column)]
    rows = typed(b.ws, "runs", RunRow, here.index.to_numpy())
    suites = suite_names(b.ws)
    name = _short(f"{suites.get(b.suite, b.suite)}@{side_words(c.b)}")
    suite = Element("testsuite", name=name)
    properties = SubElement(suite, "properties")
    said = plain(line(sentence(c), _LONGEST))
    SubElement(properties, "property", name="comparison", value=said)
    counts = {"failure": 0, "error": 0, "skipped": 0}
    for run, outcome in zip(rows, here["outcome"].tolist(), strict=True):
        case = _short(run.case_id or "")
        number = _short(run.run or "")
        test = SubElement(suite, "testcase", classname=name, name=f"{case} run {number}".strip())
        if run.duration_s:
            test.set("time", f"{run.duration_s:.3f}")
        mark = RUN_MARKS[outcome]
        if mark == "pass":
            continue
        kind = "failure" if mark == "fail" else "skipped"
        if mark == "fail" and run.status in UNFINISHED:
            kind = "error"
        counts[kind] += 1
        end = SubElement(test, kind, message=_short(verdict(run, mark)))
        if mark == "fail" and counts["failure"] + counts["error"] <= EXPLAINED:
            items = evidence(b.ws, run.run_id or "", look_up_quotes=False)
            failed = (each for each in (*items.items, *items.structural) if each.mark == "fail")
            end.text = "\n".join(_short(f"{each.sign} {each.name}") for each in failed)
    suite.set("tests", str(len(rows)))
    for kind, attribute in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        suite.set(attribute, str(counts[kind]))
    whole = Element("testsuites")
    whole.append(suite)
    indent(whole)
    made: bytes = tostring(whole, encoding="utf-8", xml_declaration=True)
    return made + b"\n"


def _short(text: str) -> str:
    return plain(line(text, _NAME))
