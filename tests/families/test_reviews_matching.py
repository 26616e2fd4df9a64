"""Which run a record is about: each rule, what it decides, and what stays open."""

from pathlib import Path
from typing import Any

import pytest

from evalcore.families.registry import family
from evalcore.families.reviews.lookup import Lookup, Run
from evalcore.families.reviews.matching import RULES, Named, Place, identity, matches, named
from evalcore.families.reviews.review import review_of
from evalcore.tables.rows import Row, RunRow
from tests import made

SUITE = "pdf"
PART = "pdf-workspace"
RUN = "pdf::1@iteration-1/with_skill#1"
AGAIN = "pdf::1@iteration-2/with_skill#1"
OTHER = "pdf::2@iteration-1/with_skill#1"


def run(name: str, folder: str, **given: object) -> RunRow:
    """Return a run of the suite, graded in a folder of its workspace."""
    case, _, rest = name.partition("::")[2].partition("@")
    version, _, rest = rest.partition("/")
    configuration, _, number = rest.partition("#")
    base: dict[str, object] = {
        "run_id": name, "suite": name.partition("::")[0], "case_id": case, "version": version,
        "configuration": configuration, "run": number,
        "source": f"{PART}/{folder}/grading.json",
    }  # fmt: skip
    return made.run(**{**base, **given})


RUNS = (
    run(RUN, "iteration-1/eval-1-fill/with_skill"),
    run(AGAIN, "iteration-2/eval-1-fill/with_skill"),
    run(OTHER, "iteration-1/eval-2-sign/with_skill"),
)
CASES = (
    made.case(suite=SUITE, case_id="1", name="fill a form"),
    made.case(suite=SUITE, case_id="2", name="sign a form"),
)


@pytest.fixture
def known(tmp_path: Path) -> Lookup:
    """Return a suite with two cases in two iterations."""
    return lookup(tmp_path, made.suite("iterations", SUITE), *CASES, *RUNS)


def lookup(root: Path, *rows: Row) -> Lookup:
    """Return what looks up some rows."""
    tables = made.workspace(root, *rows).tables
    return Lookup(lambda table, name: tables.columns[table][name], family)


def found(
    known: Lookup, *wanted: Named, outputs: dict[str, str] | None = None
) -> list[tuple[str, list[str]]]:
    """Return the rule that decided and the runs that are meant, for each description."""

    def digest(one: Run) -> str | None:
        return (outputs or {}).get(one.id)

    met = matches(wanted, known, known.suites, digest)
    return [(met[one].rule, [each.id for each in met[one].runs]) for one in wanted]


def test_rules_are_tried_from_the_surest_to_the_weakest() -> None:
    """Each has a test below."""
    assert list(RULES) == ["place", "id", "record", "names", "output"]


HERE = Place(PART)
"""Where the `reviews` folder of the suite lies."""


def test_the_place_of_the_grading_decides(known: Lookup) -> None:
    """A part of a suite knows neither the suite nor the version, and calls the case otherwise."""
    place = "iteration-2/eval-1-fill/with_skill/grading.json"
    said = Named(".::fill@current/with_skill#1", HERE, place, frozenset({"eval-1-fill"}))
    assert found(known, said) == [("place", [AGAIN])]
    assert found(known, said._replace(place=None)) == [("names", [RUN, AGAIN])]


def test_a_place_above_the_opened_folder_is_seen_from_there(known: Lookup) -> None:
    """The record above names the part of its suite that is open; the rest is not meant here."""
    above = Place("", "work/skills")
    place = f"work/skills/{PART}/iteration-2/eval-1-fill/with_skill/grading.json"
    said = Named("skills/pdf::1@iteration-2/with_skill#1", above, place, frozenset({"1"}))
    assert found(known, said) == [("place", [AGAIN])]
    elsewhere = said._replace(place=place.replace("work/skills", "work/other"), id="x::9@v/-#1")
    assert found(known, elsewhere) == [("", [])]


def test_a_place_where_another_case_lies_now_is_not_meant(known: Lookup) -> None:
    """Folders were swapped: the id that still fits decides."""
    place = "iteration-1/eval-2-sign/with_skill/grading.json"
    said = Named(RUN, HERE, place, frozenset({"1", "fill a form"}))
    assert found(known, said) == [("id", [RUN])]


def test_place_and_id_of_different_runs_are_ambiguous(tmp_path: Path) -> None:
    """The grading was moved into a version, and another lies where it was: neither is guessed."""
    now = run("pdf::1@current/with_skill#1", "eval-1-fill/with_skill")
    known = lookup(tmp_path, made.suite("iterations", SUITE), *CASES, *RUNS, now)
    place = "iteration-1/eval-1-fill/with_skill/grading.json"
    said = Named("pdf::1@current/with_skill#1", HERE, place, frozenset({"1"}))
    assert found(known, said) == [("place", [RUN, "pdf::1@current/with_skill#1"])]


def test_runs_of_one_document_are_told_apart_by_what_they_are(tmp_path: Path) -> None:
    """A benchmark holds many; where it lists them may shift."""
    names = [f"pdf::1@iteration-1/{side}#{n}" for side in ("with_skill", "old") for n in (1, 2)]
    rows = (run(name, "iteration-1", origin="benchmark") for name in names)
    known = lookup(tmp_path, made.suite("iterations", SUITE), *CASES, *rows)
    said = Named(".::1@current/old#2", HERE, "iteration-1/grading.json", frozenset({"1"}))
    assert found(known, said) == [("place", [names[-1]])]


def test_the_id_decides_whatever_the_suite_is_called(known: Lookup) -> None:
    """Only its part after the suite is the same in a folder of another name."""
    for prefix in ("pdf", ".", "skills/pdf", "renamed"):
        said = Named(f"{prefix}::1@iteration-1/with_skill#1", HERE)
        assert found(known, said) == [("id", [RUN])]
    assert found(known, Named("pdf::1@iteration-9/with_skill#1", HERE)) == [("", [])]


def test_an_id_in_two_suites_is_that_of_the_named_one(tmp_path: Path) -> None:
    """Where neither is named, both may be meant."""
    twin = RUN.replace("pdf", "docx")
    known = lookup(
        tmp_path,
        *(made.suite("iterations", name) for name in (SUITE, "docx")),
        *(run(name, "iteration-1/eval-1/with_skill") for name in (RUN, twin)),
    )
    assert found(known, Named(twin, HERE)) == [("id", [twin])]
    assert found(known, Named(RUN.replace("pdf", "x"), HERE)) == [("id", [RUN, twin])]


def test_an_id_without_a_version_is_meant_in_its_own_part(known: Lookup) -> None:
    """Stored in an iteration that was opened alone, it is about the run of that iteration."""
    said = Named(".::1@current/with_skill#1", Place(f"{PART}/iteration-2"))
    assert found(known, said) == [("names", [AGAIN])]
    assert found(known, said._replace(at=Place(f"{PART}/iteration-3"))) == [("", [])]


def test_a_plain_id_is_a_record_of_a_store(tmp_path: Path) -> None:
    """In a store alone; elsewhere a plain name is the id of no run."""
    name = "pdf::case@current/-#0195f3a0"
    row = run(name, "test-run", origin="record")
    store = lookup(tmp_path, made.suite("records", SUITE), row)
    assert found(store, Named("0195f3a0", HERE)) == [("record", [name])]
    assert found(store, Named("0195f3a1", HERE)) == [("", [])]
    both = (made.suite("records", "store"), made.suite("iterations", SUITE))
    for other in (made.suite("iterations", SUITE),), both:
        known = lookup(tmp_path, *other, row, *RUNS)
        assert found(known, Named("0195f3a0", HERE), Named("1", HERE)) == [("", [])] * 2


@pytest.mark.parametrize(
    ("case", "names"),
    [("fill a form", ()), ("eval-1-fill", ()), ("1-fill", ()), ("eval-1", ()), ("x", ("1",)),
     ("x", ("y", "fill a form"))],
)  # fmt: skip
def test_another_name_of_the_case_is_the_same_case(
    known: Lookup, case: str, names: tuple[str, ...]
) -> None:
    """Its other names in documents, its folder with and without `eval-`, and those that it had."""
    said = Named(f".::{case}@iteration-2/with_skill#1", HERE, cases=frozenset(names))
    assert found(known, said) == [("names", [AGAIN])]


@pytest.mark.parametrize("other", ["iteration-3/with_skill#1", "iteration-2/old_skill#1",
                                   "iteration-2/with_skill#2"])  # fmt: skip
def test_another_version_configuration_or_number_is_another_run(known: Lookup, other: str) -> None:
    """However the case is called."""
    assert found(known, Named(f".::eval-1-fill@{other}", HERE)) == [("", [])]


def test_a_name_of_two_cases_is_ambiguous(tmp_path: Path) -> None:
    """What one case is called in a document, another is in a folder."""
    cases = (made.case(suite=SUITE, case_id=n, name="a form") for n in ("1", "2"))
    known = lookup(tmp_path, made.suite("iterations", SUITE), *cases, *RUNS)
    said = Named(".::a form@iteration-1/with_skill#1", HERE)
    assert found(known, said) == [("names", [RUN, OTHER])]
    told = said._replace(output="ab")
    assert found(known, told, outputs={OTHER: "ab", RUN: "cd"}) == [("names", [OTHER])]
    assert found(known, told, outputs={OTHER: "ab", RUN: "ab"}) == [("names", [RUN, OTHER])]


def test_the_judged_output_is_the_last_resort(known: Lookup) -> None:
    """Of runs of that version, configuration and number; what it tells holds for notes too."""
    judgment = Named("pdf::gone@iteration-1/with_skill#1", HERE, output="ab")
    note = judgment._replace(output=None)
    outputs = {OTHER: "ab", AGAIN: "ab"}
    decided = [("output", [OTHER])] * 2
    assert found(known, judgment, note, outputs=outputs) == decided
    assert found(known, note, outputs=outputs) == [("", [])]


def test_the_judged_output_is_found_in_a_part_without_versions(tmp_path: Path) -> None:
    """Opened alone, an iteration has its runs under no version; the record above names it."""
    row = run(".::fill@current/with_skill#1", "", suite=".", source="fill/grading.json")
    known = lookup(tmp_path, made.suite("iterations", "."), row)
    said = Named("pdf::1@iteration-2/with_skill#1", Place("", "iteration-2"), output="ab")
    assert found(known, said, outputs={row.run_id or "": "ab"}) == [("output", [row.run_id])]
    other = said._replace(at=Place("", "iteration-3"))
    assert found(known, other, outputs={row.run_id or "": "ab"}) == [("", [])]


def test_what_a_record_says_finds_its_run_again(known: Lookup) -> None:
    """From the folder where it is stored, and from another one with other names for all of it."""
    about = identity(known, AGAIN, HERE)
    assert about == {
        "place": "iteration-2/eval-1-fill/with_skill/grading.json", "caseId": "1",
        "caseNames": ["fill a form"], "version": "iteration-2", "configuration": "with_skill",
        "run": "1",
    }  # fmt: skip
    assert identity(known, "pdf::1@iteration-9/with_skill#1", HERE) is None
    said = _named({"evalcore": {"run": about}}, AGAIN)
    assert said is not None
    assert found(known, said, said._replace(id=".::1@current/with_skill#1")) == [
        ("place", [AGAIN]),
        ("place", [AGAIN]),
    ]


@pytest.mark.parametrize(
    "about",
    [None, 7, [], {"place": 7}, {"place": "", "caseId": [], "caseNames": "x"},
     {"caseNames": [1, None, {}]}, {"place": "/etc/passwd"}, {"place": "../" * 50}],
)  # fmt: skip
def test_whatever_a_record_says_of_its_run_is_read(known: Lookup, about: Any) -> None:
    """Types that are wrong and places outside say nothing; the id still decides."""
    said = _named({"evalcore": {"run": about}}, RUN)
    assert said is not None
    assert found(known, said) == [("id", [RUN])]


def _named(envelope: dict[str, Any], name: str) -> Named | None:
    base = {"schema": 1, "id": "x", "type": "note", "fields": {"testRunId": name}}
    review = review_of({**base, **envelope}, "reviews/note/x.json")
    assert review is not None
    return named(review, HERE)
