"""Families are looked up by name, and each is what its suites say of themselves."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import evalcore.demo
from evalcore import open_workspace
from evalcore.disk.listing import list_files
from evalcore.disk.reader import Reader
from evalcore.errors import UnknownFamily
from evalcore.families import registry
from evalcore.families.base import Finder, Loose, Plan
from evalcore.families.registry import FAMILIES, dialect, dialects, family, looked_for
from evalcore.workspace.read import find_suites
from tests.families.activation_documents import trigger_set
from tests.families.build import write
from tests.families.promptfoo_exports import export

DEMO = Path(evalcore.demo.__file__).parent / "workspace"


def test_names_are_unique_and_lead_to_their_family() -> None:
    """What people say beside suites is a dialect, and no family of suites."""
    names = [each.name for each in dialects()]
    assert len(set(names)) == len(names)
    assert [family(each.name) for each in FAMILIES] == list(FAMILIES)
    assert dialect("reviews") not in FAMILIES


@pytest.mark.parametrize("name", ["reviews", "", None, "Improve"])
def test_an_unknown_name_is_refused_with_those_that_are_read(name: str | None) -> None:
    """The message names it, all families, and the next step."""
    with pytest.raises(UnknownFamily, match=r"improve, descriptions.*Open the folder again"):
        family(name)


def test_the_suites_of_each_family_have_its_headline(tmp_path: Path) -> None:
    """The demo has one suite of each but of three, which are added here."""
    shutil.copytree(DEMO, tmp_path / "demo")
    added = {"pdf/evals/trigger-eval.json": trigger_set(), "capitals.json": export()}
    write(tmp_path / "demo", added | {"t.csv": "", "t.rows.json": {"tables": ["t.csv"]}})
    suites = open_workspace(tmp_path / "demo", cache=False).tables.suites
    shown = dict(zip(suites["family"], suites["headline"], strict=True))
    assert shown == {each.name: each.headline for each in FAMILIES}


def test_a_finder_of_two_families_is_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It walks all files and looks into some, and says itself of which family a suite is."""
    asked: list[Reader] = []

    def find(reader: Reader, loose: Loose) -> list[Plan]:
        assert not loose
        asked.append(reader)
        return []

    both = tuple(replace(family(name), find=find) for name in ("iterations", "rubric"))
    monkeypatch.setattr(registry, "FAMILIES", both)
    find_suites(Reader(list_files(DEMO)))
    assert len(asked) == 1


def test_a_finder_by_content_gets_what_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files that another took before it need not be looked into again."""
    write(tmp_path, {"a.json": {}, "b.json": {}})
    given: list[list[str]] = []

    def taking(path: str) -> Finder:
        def find(reader: Reader, loose: Loose) -> list[Plan]:
            del reader
            given.append(list(loose))
            return [Plan(path, "records", "", None, ((path, "record"),))]

        return find

    found = [replace(family("records"), find=taking(path)) for path in ("a.json", "b.json")]
    monkeypatch.setattr(registry, "FAMILIES", tuple(found))
    plans, loose = find_suites(Reader(list_files(tmp_path)))
    assert given == [["a.json", "b.json"], ["b.json"]]
    assert ([plan.suite for plan in plans], list(loose)) == (["a.json", "b.json"], given[0])


def test_what_is_looked_for_is_one_sentence() -> None:
    """Every family that has documents of its own is in it, in the order of the list."""
    assert looked_for() == (
        "Looked in every folder for evals/evals.json, grading/<case>_v<N>_run<R>.json, "
        "eval/eval_metadata.json, iteration-N/…/grading.json, records with a type and fields, "
        "queries with should_trigger, logs of Inspect, exports of promptfoo, and tables with a "
        "mapping (NAME.rows.json)."
    )
