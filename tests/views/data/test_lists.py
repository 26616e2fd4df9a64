"""The Data page's lists: documents, problems and their places, filtered and paged."""

from pathlib import Path
from typing import Any

import pytest

from evalcore import Workspace, open_workspace
from evalcore.families.registry import FAMILIES, looked_for
from evalcore.problems import Problem
from evalcore.tables.rows import DocumentRow
from evalcore.views.data.documents import UNPLACED, file_blocks, kinds, summary
from evalcore.views.data.problems import opened, problem_blocks, problem_list
from evalcore.views.data.state import PAGE, DataView, data_view
from evalcore.views.problems import Problems, in_order, problems_of
from tests import made
from tests.views.panel_json import panel_json

ERROR = Problem("a.json", "", "error", "invalid-json", "Not valid JSON.", "Mend it.", "alpha")
WARNING = Problem(
    "b.json", "/x/1", "warning", "derived-mismatch", "mean is 3", "Recompute.", "alpha"
)
OTHER = Problem("c.json", "/x/12", "warning", "derived-mismatch", "mean is 4", "Recompute.", "beta")
NOTE = Problem("b.json", "", "info", "placeholder", "Nothing is in it.", "", None)
ALL = Problems(in_order([NOTE, OTHER, WARNING, ERROR, ERROR]))
NONE = Problems(())


def documents(root: Path, *rows: DocumentRow, lost: tuple[str, ...] = ()) -> Workspace:
    """Return a workspace with these documents, and some that fit nowhere."""
    ws = made.workspace(root, made.suite(), *rows)
    return Workspace(root, ws.opened._replace(unrecognised=list(lost)))


def gradings(n: int) -> list[DocumentRow]:
    """Return so many documents of one kind."""
    return [
        DocumentRow(
            path=f"grading/case-{i:04}.json",
            family="improve",
            kind="grading",
            suite="alpha",
            records=3,
        )
        for i in range(n)
    ]


def shown(ws: Workspace, view: DataView, problems: Problems = NONE) -> tuple[Any, str]:
    """Return the table of documents as the page sends it, and the words below it."""
    blocks = panel_json(file_blocks(ws, view, problems))
    (table,) = [block for block in blocks if block["t"] == "table"]
    (pager,) = [block for block in blocks if block["t"] == "pager"]
    return table, pager["text"]


def test_an_address_means_a_view_and_a_view_an_address() -> None:
    """What is as usual stays out of the address."""
    view = DataView(
        "problems", "mean", 2, "warning", "derived-mismatch", "alpha", None, "b.json", "/x/1"
    )
    address = {name: value for name, value in view.parameters().items() if value is not None}
    assert data_view(address, problems=False) == view
    assert set(DataView("files").parameters().values()) == {"files", None}


@pytest.mark.parametrize(("problems", "part"), [(True, "problems"), (False, "files")])
def test_without_a_wish_the_problems_come_first_where_there_are_some(
    problems: bool, part: str
) -> None:
    """Otherwise the documents do."""
    assert data_view({}, problems=problems).part == part


@pytest.mark.parametrize("page", ["-3", "0", "x", "9" * 9])
def test_an_address_without_meaning_is_as_if_it_were_absent(page: str) -> None:
    """Whoever types it sees the page, not an error, and it does not stay in the address."""
    view = data_view(
        {"dview": "x", "dpage": page, "severity": "fatal", "dq": "y" * 900}, problems=False
    )
    assert (view.part, view.page, view.severity, len(view.text)) == ("files", 1, None, 200)
    assert view.parameters()["dpage"] is None


def test_documents_are_paged_on_the_server(tmp_path: Path) -> None:
    """Fifty stand on a page, the rest are counted; a page too far is the last one."""
    ws = documents(tmp_path, *gradings(120))
    table, words = shown(ws, DataView(page=9))
    assert (words, len(table["rows"])) == ("101–120 of 120 documents", 20)
    assert len(shown(ws, DataView())[0]["rows"]) == PAGE


def test_documents_are_found_by_family_kind_and_path(tmp_path: Path) -> None:
    """Each filter narrows; the total stays known."""
    ws = documents(
        tmp_path,
        *gradings(3),
        DocumentRow(
            path="history.json", family="improve", kind="history", suite="alpha", records=2
        ),
    )
    table, words = shown(ws, DataView(kind="improve/history"))
    assert [row["cells"][0]["text"] for row in table["rows"]] == ["history.json"]
    assert words == "1 of 4 documents"
    assert shown(ws, DataView(kind="improve"))[1] == "4 documents"
    assert shown(ws, DataView(text="CASE-0002"))[1] == "1 of 4 documents"
    assert [(kind.kind, kind.documents, kind.records) for kind in kinds(ws)] == [
        ("grading", 3, 9),
        ("history", 1, 2),
    ]


def test_what_fits_nowhere_is_a_list_of_its_own_with_the_next_step(tmp_path: Path) -> None:
    """Nothing that looks like an evaluation is passed over in silence."""
    ws = documents(tmp_path, lost=("odd/grading.json",))
    view = DataView(kind=UNPLACED)
    (row,) = shown(ws, view)[0]["rows"]
    assert [cell["text"] for cell in row["cells"][:2]] == ["odd/grading.json", UNPLACED]
    assert any(
        "where it would be read" in block.get("text", "")
        for block in panel_json(file_blocks(ws, view, NONE))
    )
    assert "1 more looks like an evaluation and fits nowhere" in summary(ws, NONE)


def test_a_document_leads_to_its_problems(tmp_path: Path) -> None:
    """The count is a door to the problems of that file."""
    ws = documents(
        tmp_path,
        DocumentRow(path="b.json", family="improve", kind="grading", suite="alpha", records=None),
    )
    table, _ = shown(ws, DataView(), ALL)
    cell = table["rows"][0]["cells"][-1]
    assert (cell["text"], cell["link"]["query"]["dview"], cell["link"]["query"]["dq"]) == (
        "2",
        "problems",
        "b.json",
    )
    assert table["rows"][0]["cells"][3]["text"] == "nothing"


def test_an_empty_folder_says_what_was_looked_for(tmp_path: Path) -> None:
    """And names the one next step."""
    ws = documents(tmp_path)
    assert summary(ws, NONE) == f"No evaluation document was found in {tmp_path}."
    table, _ = shown(ws, DataView())
    assert table["empty"].startswith(looked_for())
    assert "iteration-N/…/grading.json" in table["empty"]


def test_problems_stand_by_severity_once_each() -> None:
    """Errors first, notes last; what was said twice stands once."""
    assert ALL.rows == (ERROR, WARNING, OTHER, NOTE)


def test_each_count_is_what_its_filter_would_keep() -> None:
    """Severities are counted under the suite, codes under the severity too."""
    found = problem_list(ALL, DataView("problems", severity="warning", suite="alpha"))
    assert found.severities == (("error", 1), ("warning", 1), ("info", 0))
    assert found.codes == (("derived-mismatch", 1),)
    assert found.rows == (WARNING,)
    assert found.suites == (("alpha", 1), ("beta", 1))


@pytest.mark.parametrize(
    ("view", "kept"),
    [
        (DataView("problems", code="derived-mismatch"), (WARNING, OTHER)),
        (DataView("problems", text="MEAN IS 4"), (OTHER,)),
        (DataView("problems", text="b.json"), (WARNING, NOTE)),
        (DataView("problems", code="no-such"), ()),
    ],
)
def test_problems_are_filtered(view: DataView, kept: tuple[Problem, ...]) -> None:
    """By code, and by words of the file, the message, the hint or the code."""
    assert problem_list(ALL, view).rows == kept


def _groups(view: DataView) -> list[Any]:
    """Return the groups of problems that a view lists."""
    blocks = panel_json(problem_blocks(problem_list(ALL, view), view, complete=True))
    groups: list[Any] = next(block for block in blocks if block["t"] == "problems")["groups"]
    return groups


def test_notes_stand_apart() -> None:
    """They are counted, but listed only where one asks for them: everything was read."""
    found = problem_list(ALL, DataView("problems"))
    assert (found.severities[-1], found.page.total, found.total, ALL.n) == (("info", 1), 3, 3, 3)
    (notes,) = _groups(DataView("problems", severity="info"))
    assert (notes["word"], notes["n"]) == ("note", 1)
    assert problem_list(Problems((NOTE,), complete=True), DataView("problems")).page.total == 0


def test_a_problem_shows_place_hint_and_way(tmp_path: Path) -> None:
    """Its door opens the file at the pointer; groups have a severity, a code and a count."""
    groups = _groups(DataView("problems"))
    assert [(group["word"], group["code"], group["n"]) for group in groups] == [
        ("error", "invalid-json", 1),
        ("warning", "derived-mismatch", 2),
    ]
    item = groups[1]["items"][0]
    assert (item["location"], item["path"], item["hint"]) == ("b.json#/x/1", "b.json", "Recompute.")
    assert (item["link"]["query"]["file"], item["link"]["query"]["at"]) == ("b.json", "/x/1")


def test_the_first_problem_is_open_until_another_is_chosen() -> None:
    """What it speaks of is shown beside the list at once."""
    found = problem_list(ALL, DataView("problems"))
    assert opened(found, DataView("problems")).file == "a.json"
    elsewhere = DataView("problems", text="a", file="no-such.json", at="/x")
    assert (opened(found, elsewhere).file, opened(found, elsewhere).at) == (
        found.rows[0].path,
        found.rows[0].pointer,
    )
    none = DataView("problems", text="zebra", file="a.json")
    assert opened(problem_list(ALL, none), none).file is None
    assert opened(found, DataView("problems", file="c.json")).file == "c.json"
    assert opened(problem_list(NONE, DataView("problems")), DataView("problems")).file is None


def test_problems_inside_a_place_are_told_from_their_neighbours() -> None:
    """`/x/1` does not hold what is at `/x/12`."""
    inside = Problem("b.json", "/x/1/y", "warning", "w", "m")
    beside = Problem("b.json", "/x/12", "warning", "w", "m")
    assert Problems((WARNING, inside, beside)).below("b.json", "/x/1") == (WARNING, inside)


def test_no_problem_is_a_sentence(tmp_path: Path) -> None:
    """It says whether the full check has been made, and whether a filter hides some."""

    def said(problems: Problems, view: DataView) -> Any:
        blocks = panel_json(problem_blocks(problem_list(problems, view), view, problems.complete))
        return next(block["empty"] for block in blocks if block["t"] == "problems")

    assert said(Problems((), complete=True), DataView("problems")).startswith(
        "No problem was found"
    )
    assert said(NONE, DataView("problems")) == "No problem was met at opening."
    assert said(ALL, DataView("problems", code="no-such")) == "No problem matches. Remove a filter."


def test_the_seeds_examples_are_all_recognised() -> None:
    """A suite of each family, nothing left over."""
    ws = open_workspace(Path(__file__).parents[2] / "data" / "seeds", cache=False)
    families = {kind.family for kind in kinds(ws)}
    assert families == {each.name for each in FAMILIES}


def test_reviews_are_counted_beside_the_families(tmp_path: Path) -> None:
    """They are about documents of any family, and no family of their own."""
    row = DocumentRow("", "reviews", "note", suite="alpha", records=1)
    both = documents(tmp_path / "both", *gradings(3), *(row._replace(path=n) for n in "xy"))
    assert summary(both, NONE).startswith("3 documents of 1 family and 2 reviews recognised; ")
    only = documents(tmp_path / "only", row)
    assert summary(only, NONE).startswith("1 review recognised; ")


def test_an_empty_search_has_a_way_out(tmp_path: Path) -> None:
    """It takes the words away and nothing else; a list that is not empty needs none."""
    ws = documents(tmp_path, *gradings(3))
    asked = DataView("files", text="zebra", kind="improve")
    blocks = panel_json(file_blocks(ws, asked, NONE))
    outs = [item for block in blocks if block["t"] == "links" for item in block["items"]]
    (out,) = [item for item in outs if item["text"] == "Clear the search"]
    assert out["link"]["query"]["dq"] is None
    assert out["link"]["query"]["kind"] == "improve"
    whole = panel_json(file_blocks(ws, DataView("files"), NONE))
    assert "Clear the search" not in str(whole)


def test_what_many_files_share_is_listed_once_and_shown_in_each_file() -> None:
    """The list counts it once; each file still has its own."""
    notes = [NOTE._replace(path=f"{at}.json", suite="alpha") for at in range(9)]
    found = problems_of(notes, complete=True)
    assert problem_list(found, DataView("problems")).severities[-1] == ("info", 1)
    assert [row.message for row in found.at("7.json")] == ["Nothing is in it."]
