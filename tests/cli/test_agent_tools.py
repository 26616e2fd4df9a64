"""What agents are told: bounded, marked as data, without sides of open studies, page by page."""

import json
import shutil
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from evalcore.cli import opening
from evalcore.cli.agent_server import INSTRUCTIONS, server
from evalcore.cli.agent_tools import CHANGED, NOTICE, AgentTools, fault
from evalcore.cli.opening import Followed
from evalcore.errors import EvalcoreError, HiddenUntilJudged
from evalcore.judging.answering.independent import Judges, chosen, start_batch
from evalcore.judging.model import Judge
from evalcore.judging.storing.judges import remember_judge
from evalcore.workspace.opened import Workspace
from tests.chance import Twin, differences
from tests.cli.agents import MOST, run_apart
from tests.cli.payloads import PAYLOADS
from tests.cli.suites import suite, worse
from tests.judging.copies import NOTES, copied
from tests.twin_folders import SIDES, twin

INVISIBLE: Final = "a\u202eb\u200fc\U000e0041d\U000e0141e\x00f\x1b[31mg\u2028h\ud800i\r"
RUNS: Final = (
    "letters::0@iteration-1/with_skill#1",
    "letters::5@iteration-1/without_skill#1",
    "letters::3@iteration-2/with_skill#2",
    "letters::5@iteration-2/with_skill#1",
    "notes::0@v0/-#1",
    "notes::5@v1/-#1",
)
"""Runs of the twins: of cases that are to be compared, and of others."""
FRAME: Final = {"notice", "data", "listed", "next_cursor", "note"}


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is kept on a machine in folders of the test."""
    home = tmp_path_factory.mktemp("home")
    for name in ("CACHE", "STATE"):
        monkeypatch.setenv(f"EVALCORE_{name}_DIR", str(home / name))


def tools(root: Path) -> AgentTools:
    """Return the tools of a folder."""
    return AgentTools(Followed(root))


def read(text: str) -> Any:
    """Return the document of an answer, which fits the context of an agent."""
    assert len(text.encode()) <= MOST
    return json.loads(text)


def every_page(ask: Any, *given: Any, **named: Any) -> Iterator[Any]:
    """Yield the pages of a list."""
    cursor = ""
    while True:
        page = read(ask(*given, **named, cursor=cursor))
        yield page
        cursor = page.get("next_cursor", "")
        if not cursor:
            return


def all_answers(root: Path) -> Iterator[str]:
    """Yield what each tool answers of a folder with one suite: of every run, and to errors."""
    asked = tools(root)
    yield asked.list_suites()
    yield asked.list_problems()
    (found,) = json.loads(asked.list_suites())["data"]["suites"]
    ws = Followed(root).now()
    name = str(ws.tables.suites["suite"].iloc[0])
    assert found["suite"]
    yield asked.failing_runs(name)
    yield asked.compare_versions(name)
    for run in ws.tables.runs["run_id"].astype(str):
        yield asked.run_evidence(run)
        yield asked.run_steps(run)
    for wrong in (asked.failing_runs, asked.run_evidence):
        with pytest.raises(EvalcoreError) as error:
            wrong(f"{name} ")
        yield fault(str(error.value))


def hostile(folder: Path, payload: str) -> Path:
    """Write a suite whose names, criteria, reasons, outputs and transcripts are a payload."""
    name = payload.replace("/", "⁄").replace("\x00", "").encode(errors="replace").decode()[:40]
    root = suite(folder, {f"{name} {n}": (n % 4, 3) for n in range(3)}, name=name)
    said = json.dumps(payload.encode(errors="replace").decode())[1:-1]
    for file in [*root.rglob("grading.json")]:
        text = file.read_text("utf-8").replace("check", said).replace("seen", said)
        file.write_text(text, "utf-8")
        steps = [
            {"role": "user", "content": payload},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "1", "name": said, "input": {said: said}}],
            },
        ]
        (file.parent / "transcript.jsonl").write_text("\n".join(map(json.dumps, steps)), "utf-8")
        (file.parent / "outputs").mkdir()
        (file.parent / "outputs/answer.md").write_text(payload, "utf-8", errors="replace")
    return root


def texts(value: Any, keys: bool = False) -> Iterator[str]:
    """Yield every text of a document, or every key."""
    if isinstance(value, Mapping):
        yield from value if keys else ()
        for each in value.values():
            yield from texts(each, keys)
    elif isinstance(value, list):
        for each in value:
            yield from texts(each, keys)
    elif isinstance(value, str) and not keys:
        yield value


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """Return the keys of all answers about a folder whose texts are plain words."""
    root = hostile(tmp_path_factory.mktemp("plain"), "it says 'plain words' here")
    return {key for text in all_answers(root) for key in texts(json.loads(text), keys=True)}


@pytest.mark.parametrize("payload", [*PAYLOADS, INVISIBLE], ids=range(len(PAYLOADS) + 1))
def test_no_text_of_a_file_leaves_its_field(tmp_path: Path, usual: set[str], payload: str) -> None:
    """It is in `data`, never a key; outside stand our own words, and no sign is invisible."""
    for text in all_answers(hostile(tmp_path, payload)):
        answer = read(text)
        assert answer.keys() <= FRAME
        assert set(texts(answer, keys=True)) <= usual
        assert answer["notice"] == NOTICE
        assert payload not in "".join(texts({**answer, "data": None, "notice": ""}))
        for said in texts(answer):
            hidden = {char for char in said if unicodedata.category(char) in ("Cc", "Cs", "Zl")}
            assert hidden <= {"\n"}
            assert not set(said) & set("\u202e\u200f\U000e0041\U000e0141")


def test_what_an_agent_is_told_of_the_tools_is_the_same_for_every_folder(tmp_path: Path) -> None:
    """No word of a workspace stands in a description, a schema or the instructions."""
    told = []
    for place, payload in (("one", "word"), ("other", PAYLOADS[0])):
        root = hostile(tmp_path / place, payload)
        made = server(tools(root), write=True)
        listed = [tool.model_dump(mode="json") for tool in run_apart(made.list_tools)]
        told.append((made.instructions, listed))
    assert told[0] == told[1]
    assert told[0][0] == INSTRUCTIONS


def test_a_long_text_says_how_much_of_it_is_there(tmp_path: Path) -> None:
    """In a list shorter than where one step is asked for."""
    root = hostile(tmp_path, "y" * 50_000)
    asked, run = tools(root), str(Followed(root).now().tables.runs["run_id"].iloc[0])
    listed = read(asked.run_steps(run))["data"]["steps"][0]["text"]
    assert listed == f"{'y' * 2_000} … (cut, 2,000 of 50,000 characters)"
    one = read(asked.run_steps(run, position=0))["data"]["step"]["text"]
    assert one.endswith("of 50,000 characters)")
    assert len(one) > 7_000
    (file,) = read(asked.run_evidence(run))["data"]["files"][:1]
    assert file["text"].endswith("(cut, 1,500 of 50,000 characters)")


@pytest.mark.parametrize("sign", ["é", "\U000e0041", '"', "\\", "日"])
def test_an_answer_fits_whatever_the_texts_are(tmp_path: Path, sign: str) -> None:
    """Also where each character is many bytes, and one entry alone would be too much."""
    for text in all_answers(hostile(tmp_path, sign * 30_000)):
        read(text)


def test_the_pages_of_a_list_have_each_entry_once(tmp_path: Path) -> None:
    """In the order of the whole, which each page says its part of."""
    root = worse(tmp_path, cases=90)
    pages = list(every_page(tools(root).failing_runs, "."))
    assert len(pages) > 2
    runs = [each["run"] for page in pages for each in page["data"]["failures"]]
    assert len(runs) == len(set(runs)) == 90
    assert pages[0]["listed"].startswith("1 to ")
    assert pages[-1]["listed"].endswith("to 90 of 90")
    assert ["failed_runs" in page["data"] for page in pages] == [True] + [False] * (len(pages) - 1)
    cases = [
        each["case_id"]
        for page in every_page(tools(root).compare_versions, ".")
        for each in page["data"]["cases"]
    ]
    assert len(set(cases)) == len(cases) == 90


def test_a_list_that_changed_between_two_pages_says_so(tmp_path: Path) -> None:
    """And a cursor is of one list only."""
    root = worse(tmp_path, cases=60)
    asked = tools(root)
    first = read(asked.failing_runs("."))
    assert "note" not in read(asked.failing_runs(".", cursor=first["next_cursor"]))
    shutil.rmtree(root / "iteration-2/eval-07")
    after = read(asked.failing_runs(".", cursor=first["next_cursor"]))
    assert after["note"] == CHANGED
    with pytest.raises(EvalcoreError, match="of another list"):
        asked.failing_runs(".", "iteration-2", cursor=first["next_cursor"])


def test_runs_of_an_independent_batch_are_hidden_from_the_only_judge(tmp_path: Path) -> None:
    """Neither their evidence nor their steps are told, and they cannot be sent to judging."""
    ws = copied(tmp_path / "notes", NOTES)
    run = f"{NOTES}::breaking-change@v3/-#1"
    ana = remember_judge("Ana", None)
    asked = tools(ws.root)
    assert read(asked.run_evidence(run))["data"]["criteria"]
    start_batch(ws, chosen([run], 9), Judges((ana.id,)), Judge("ben-1", "Ben"))
    for tool in (asked.run_evidence, asked.run_steps, lambda run: asked.send_to_judging([run])):
        with pytest.raises(HiddenUntilJudged):
            tool(run)
    assert read(asked.failing_runs(NOTES))["data"]["hidden_runs"] == 1


def walk(root: Path) -> dict[str, list[str]]:
    """Return what every tool tells of a twin, line by line, by question."""
    asked, found = tools(root), dict[str, list[str]]()

    def tell(name: str, tool: Any, *given: Any, **named: Any) -> None:
        try:
            pages = [json.dumps(page) for page in every_page(tool, *given, **named)]
        except EvalcoreError as error:
            pages = [fault(str(error))]
        found[" ".join([name, *map(str, given)])] = pages

    for tool in (asked.list_suites, asked.list_problems):
        tell(tool.__name__, tool)
    for name, sides in SIDES.items():
        tell("failing", asked.failing_runs, name)
        tell("failing", asked.failing_runs, name, scores="human-first")
        tell("compare", asked.compare_versions, name)
        tell("compare", asked.compare_versions, name, *sides)
    assert set(RUNS) <= set(Followed(root).now().tables.runs["run_id"])
    for run in RUNS:
        tell("evidence", asked.run_evidence, run)
        tell("steps", asked.run_steps, run)
    for run in RUNS[:2]:
        tell("send", lambda run, cursor: asked.send_to_judging([run]), run)  # noqa: ARG005
    return found


@pytest.mark.parametrize("knows", ["the judge", "nobody"])
def test_an_open_study_tells_no_sides(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows: str
) -> None:
    """Every tool, on twins, tells the same: whoever this machine knows, as anybody may read it."""
    home, found = tmp_path / "home", dict[tuple[bool, bool, int], dict[str, list[str]]]()
    monkeypatch.setenv("EVALCORE_STATE_DIR", str(home / "state"))
    for seed, swapped in product((1, 2), (False, True)):
        for hidden in (True, False):
            twin(home / "w", home / "state", swapped=swapped, seed=seed)
            if knows == "nobody":
                (home / "state/judges.json").unlink()
            with monkeypatch.context() as patch:
                if not hidden:
                    patch.setattr("evalcore.judging.hiding.workspace_for_readers", lambda ws: ws)
                    patch.setattr(opening, "_for_judge", _whole)
                found[hidden, swapped, seed] = walk(home / "w")
            shutil.rmtree(home)

    def of(hidden: bool, swapped: bool) -> Twin:
        return Twin(found[hidden, swapped, 1], found[hidden, swapped, 2])

    assert differences(of(True, False), of(True, True)) == []
    assert any("Hidden until" in text for told in found[True, False, 1].values() for text in told)
    seen = differences(of(False, False), of(False, True))
    assert {each.split(" ")[0].split(":")[0] for each in seen} >= {"failing", "evidence", "steps"}


def _whole(ws: Workspace) -> Workspace:
    return ws
