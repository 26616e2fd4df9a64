"""The Steps tab: a line for each step, the open one whole, and what a run took."""

import json
from pathlib import Path
from typing import Any

import pytest

from evalcore import open_workspace
from evalcore.checks.outcome import Outcome
from evalcore.checks.steps import check_steps
from evalcore.comparing import steps as comparing
from evalcore.counting.run_criteria import run_row
from evalcore.counting.run_steps import steps_of
from evalcore.steps.collecting import MAX_STEPS
from evalcore.views.blocks.base import PanelData
from evalcore.views.blocks.plain import plain
from evalcore.views.run.evidence import MAX_TRANSCRIPT, evidence
from evalcore.views.run.steps import (
    MAX_BARS,
    NONE,
    NOT_UNDERSTOOD,
    WINDOW,
    skill_words,
    step_of_quote,
    step_with,
    steps_panel,
)
from evalcore.workspace.opened import Workspace
from tests.stepped import CALLS, Call, bash, events, read, run_id, workspace

LIMIT = 150 * 1024
RUN = run_id("one")


def opened(root: Path, **beside: str) -> Workspace:
    """Open a folder with one run, and files beside it."""
    files = {name.replace("__", "."): text for name, text in beside.items()}
    return open_workspace(workspace(root, {"iteration-1/one": files}), cache=False)


def of(root: Path, *calls: Call, at: int | None = None, find: str = "", **more: Any) -> PanelData:
    """Return what the tab of a run shows that used these tools."""
    return steps_panel(opened(root, transcript__jsonl=events(*calls, **more)), RUN, at, find)


def lines(data: PanelData) -> list[tuple[str, str]]:
    """Return what each line says of its step."""
    return [(row["what"], row["text"]) for row in data["rows"]]


def test_each_step_is_a_line(tmp_path: Path) -> None:
    """The name of a tool and its first argument, what was said, and where each turn begins."""
    data = of(tmp_path, *CALLS)
    assert lines(data) == [
        ("user", "Go."),
        ("Read", "a.md"),
        ("Bash", "make"),
        ("Read", "b.md"),
        ("assistant", "Done."),
    ]
    assert [row.get("turn") for row in data["rows"]] == [
        "Turn 1", None, "Turn 2", "Turn 3", "Turn 4",
    ]  # fmt: skip
    assert [row.get("took") for row in data["rows"]] == [None, "1 s", "1 s", "1 s", None]


def test_an_error_has_a_word_and_the_beginning_of_what_it_said(tmp_path: Path) -> None:
    """Colour alone would not tell it."""
    data = of(tmp_path, *CALLS)
    assert [row.get("error") for row in data["rows"]] == [
        None, None, "No rule to make it.", None, None,
    ]  # fmt: skip
    assert data["errors"] == "1 error"


def test_totals_say_only_what_is_known(tmp_path: Path) -> None:
    """Tokens without a cost; a transcript of words tells no tools."""
    assert of(tmp_path / "a", *CALLS)["totals"][:4] == [
        "4 turns", "3 tool calls", "36 tokens", "8 s",
    ]  # fmt: skip
    assert of(tmp_path / "b", read("a"), timed=False)["totals"][:4] == [
        "2 turns", "1 tool call", "no errors", "12 tokens",
    ]  # fmt: skip
    words = json.dumps(
        [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "Yes."}]
    )
    said = steps_panel(opened(tmp_path / "c", transcript__json=words), RUN, None)
    assert said["totals"] == ["1 turn", "tools are not told"]


@pytest.mark.parametrize(
    ("stated", "used", "said"),
    [
        (None, "skills/s/SKILL.md", ["used the skill"]),
        (None, "skills/other/SKILL.md", ["no step uses the skill"]),
        (True, "notes.md", ["used the skill"]),
        (False, "skills/s/SKILL.md", ["did not use the skill"]),
    ],
)
def test_whether_the_skill_was_used_is_said_as_it_is_stated_else_by_the_steps(
    tmp_path: Path, stated: bool | None, used: str, said: list[str]
) -> None:
    """Transcripts name a skill after its folder."""
    told = {"iteration-1/one": {"transcript.jsonl": events(read(used), timed=False)}}
    ws = open_workspace(workspace(tmp_path, told), cache=False)
    run = run_row(ws, RUN)
    assert skill_words(ws, run._replace(activated=stated), steps_of(ws, run)) == said


def test_a_click_does_not_ask_again_whether_the_skill_was_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All calls of a run are looked at for that: of 5,000 steps it took most of a click."""
    ws = opened(tmp_path, transcript__jsonl=events(*CALLS))
    asked: list[str] = []

    def counted(kind: str, *about: Any) -> Outcome:
        asked.append(kind)
        return check_steps(kind, *about)

    monkeypatch.setattr(comparing, "check_steps", counted)
    for at in (None, 1, 2):
        steps_panel(ws, RUN, at)
    assert asked == ["used_skill"]


def test_the_open_step_comes_whole(tmp_path: Path) -> None:
    """Its arguments to read, its result, and what else is known of it."""
    data = of(tmp_path, ("Write", {"path": "a", "content": "one\ntwo"}, "Written."), at=2)
    assert data["open"]["texts"] == [
        {"label": "arguments", "text": "path: a\ncontent:\none\ntwo"},
        {"label": "result", "text": "Written."},
    ]
    assert data["open"]["facts"].startswith("step 2 · turn 1 · 1 Jan 2026, 10:00 UTC · took 1 s")
    assert data["open"]["pointer"] == "/1/message/content/0"
    assert [of(tmp_path, *CALLS, at=at)["open"] for at in (None, 99)] == [None, None]


def test_a_long_text_is_sent_in_parts(tmp_path: Path) -> None:
    """One word of 100 KB, too; the part with the words that are looked for comes first."""
    word = "x" * 100_000 + "needle" + "y" * 100
    ws = opened(tmp_path, transcript__jsonl=events(bash("cat", word)))
    data = steps_panel(ws, RUN, 2)
    assert data["open"]["words"].startswith("part 1 of ")
    found = steps_panel(ws, RUN, 2, "needle")["open"]
    assert "needle" in found["texts"][-1]["text"]
    assert found["part"] == found["parts"]
    assert len(json.dumps(plain(data))) < LIMIT


@pytest.mark.parametrize("sign", ["x", "漢", "ש", "\u202e<b>"])
def test_5000_steps_are_sent_in_windows(tmp_path: Path, sign: str) -> None:
    """Around the open one, within 150 KB, with what the keys go to beyond."""
    calls = [
        bash(sign * 400, sign * 200, failed=number in (40, 4_000)) for number in range(1, 5_001)
    ]
    ws = opened(tmp_path, transcript__jsonl=events(*calls, timed=False))
    data = steps_panel(ws, RUN, 2_501)
    assert (len(data["rows"]), data["first"], data["total"]) == (WINDOW, 2_501, 5_002)
    assert data["span"] == "steps 2,501–2,600 of 5,002"
    assert data["beyond"]["error"] == [41, 4_001]
    assert data["beyond"]["turn"] == [2_500, 2_601]
    assert len(data["strip"]["bars"]) <= MAX_BARS
    assert len(json.dumps(plain(data))) < LIMIT


def test_the_strip_is_the_time_of_the_run(tmp_path: Path) -> None:
    """A bar where each step began, as long as it took; without times in their order."""
    timed = of(tmp_path / "a", *CALLS)["strip"]
    assert timed["ends"] == ["0 s", "8 s"]
    assert timed["bars"] == [
        [0, 0, 0, 1], [250, 125, 1, 2], [500, 125, 2, 3], [750, 125, 1, 4], [1000, 0, 0, 5],
    ]  # fmt: skip
    plain_order = of(tmp_path / "b", *CALLS, timed=False)["strip"]
    assert plain_order["ends"] == ["step 1", "step 5"]
    assert [bar[:2] for bar in plain_order["bars"]] == [[200 * at, 200] for at in range(5)]
    assert plain_order["note"]


def test_words_are_found_in_all_steps(tmp_path: Path) -> None:
    """Also in what a tool gave, in any case of the letters; the next one from a step on."""
    data = of(tmp_path, *CALLS, find="STANDS in", at=4)
    assert [row["n"] for row in data["rows"] if row.get("hit")] == [2, 4]
    assert data["found"] == "2 of 2 steps"
    ws = opened(tmp_path, transcript__jsonl=events(*CALLS))
    assert [step_with(ws, RUN, "stands in", start) for start in (1, 3, 5)] == [2, 4, 2]
    assert step_with(ws, RUN, "nowhere", 1) is None
    wide = of(tmp_path / "wide", bash("ls", "Der ÄRGER"), bash("cat", "groß"), find="ärger")
    assert [row["n"] for row in wide["rows"] if row.get("hit")] == [2]
    assert steps_panel(ws, RUN, None, "nowhere")["found"] == "No step has “nowhere”"


@pytest.mark.parametrize(
    ("quote", "step", "words"),
    [
        ("what stands in b.md", 4, "what stands in b.md"),
        ("What  stands\nin b.md.", 4, ""),
        ("No rule to … it", 3, ""),
        ("something that nobody said", None, "something that nobody said"),
    ],
)
def test_a_quoted_passage_leads_to_its_step(
    tmp_path: Path, quote: str, step: int | None, words: str
) -> None:
    """Exactly, or with other spacing; else its words are looked for, and not found."""
    ws = opened(tmp_path, transcript__jsonl=events(*CALLS))
    assert step_of_quote(ws, RUN, quote) == (step, words)


def test_a_long_transcript_is_searched_when_somebody_asks(tmp_path: Path) -> None:
    """With each click on its case a short one is; a long one only as steps."""
    said = 'It says "What stands in a.md".'
    paths = []
    for name, more in (("short", ""), ("long", "x" * MAX_TRANSCRIPT)):
        files = {"iteration-1/one": {"transcript.jsonl": events(read("a.md"), bash("cat", more))}}
        ws = open_workspace(workspace(tmp_path / name, files, said), cache=False)
        ((quote,),) = (item.quotes for item in evidence(ws, RUN).items)
        paths.append(quote.path)
        assert step_of_quote(ws, RUN, quote.quote)[0] == 2
    assert paths == ["s-workspace/iteration-1/eval-one/with_skill/run-1/transcript.jsonl", None]


def test_a_run_without_steps_says_what_is_read(tmp_path: Path) -> None:
    """Without a transcript, and with one that nobody understands."""
    assert steps_panel(opened(tmp_path / "a"), RUN, None)["none"].startswith(NONE)
    odd = steps_panel(opened(tmp_path / "b", transcript__txt="Just words."), RUN, None)
    assert odd["none"].startswith(NOT_UNDERSTOOD)
    assert "Claude Code" in odd["none"]
    assert odd["none"].endswith("/transcript.txt.")


def test_what_is_not_understood_is_counted_and_stays_to_read(tmp_path: Path) -> None:
    """As text, at its place."""
    text = events(read("a")) + '{"type": "novelty", "x": 1}\nno JSON\n'
    data = steps_panel(opened(tmp_path, transcript__jsonl=text), RUN, None)
    assert data["notes"] == ["2 parts could not be understood: shown as text, where it stands."]
    assert ("not understood", '{"type":"novelty","x":1}') in lines(data)
    assert ("not understood", "no JSON") in lines(data)


def test_what_a_sub_agent_did_stands_within_the_call_that_began_it(tmp_path: Path) -> None:
    """It names that step."""
    inner = {"role": "assistant", "content": [{"type": "text", "text": "I look."}]}
    line = {"type": "assistant", "parent_tool_use_id": "t1", "message": inner}
    first, *rest = events(("Task", {"description": "Look"}, "Seen.")).splitlines(keepends=True)
    text = "".join([first, rest[0], f"{json.dumps(line)}\n", *rest[1:]])
    data = steps_panel(opened(tmp_path, transcript__jsonl=text), RUN, 3)
    assert [row.get("inside") for row in data["rows"]] == [None, None, True, None]
    assert data["open"]["facts"].endswith("within step 2")


def test_steps_beyond_the_most_are_counted(tmp_path: Path) -> None:
    """They are not listed."""
    text = "".join(
        json.dumps({"role": "user" if at % 2 else "assistant", "content": f"{at}"}) + "\n"
        for at in range(MAX_STEPS + 5)
    )
    data = steps_panel(opened(tmp_path, transcript__jsonl=text), RUN, None)
    assert data["notes"] == ["5 more steps beyond these, not listed."]


def test_hostile_texts_are_texts(tmp_path: Path) -> None:
    """Markup in names, arguments and results reaches the panel as it is; lone surrogates do not."""
    markup = "<img src=x onerror=alert(1)>"
    data = of(tmp_path, (markup, {markup: f"{markup}\ud800"}, markup, True), at=2)
    sent = plain(data)
    json.dumps(sent).encode()
    row = sent["rows"][1]
    assert row["what"] == markup
    assert row["text"].startswith(markup)
    assert row["error"] == markup
    assert "\ud800" not in repr(sent)


def test_a_transcript_that_changed_is_read_again(tmp_path: Path) -> None:
    """It may still be written while it is looked at."""
    ws = opened(tmp_path, transcript__jsonl=events(read("a")))
    assert steps_panel(ws, RUN, None)["total"] == 3
    path = next(tmp_path.rglob("transcript.jsonl"))
    path.write_text(events(*CALLS))
    assert steps_panel(ws, RUN, None)["total"] == 5
