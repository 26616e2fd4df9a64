"""The evidence beside the grid: the head of the case, one tab below it, and scores given there."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

import streamlit as st

from evalcore import Workspace
from evalcore.counting.outcomes import Column, marks_in, outcomes
from evalcore.counting.run_steps import may_have_steps
from evalcore.errors import CannotJudge, EvalcoreError
from evalcore.judging.asking.tasks import task
from evalcore.judging.hiding import workspace_for
from evalcore.judging.storing.record_factory import suite_of
from evalcore.judging.storing.store import unwritable
from evalcore.judging.storing.stored_reviews import load_reviews, review_folder
from evalcore.tables.rows import RunRow
from evalcore.views.blocks.base import Block, PanelData
from evalcore.views.blocks.evidence import Lines
from evalcore.views.blocks.page import Say
from evalcore.views.files.outputs import Output, OutputFile, load_output
from evalcore.views.files.portions import Portion, portion, portions, rows_within
from evalcore.views.files.source_excerpt import source_excerpt
from evalcore.views.gradings.grid import Grid, chosen_columns, ends
from evalcore.views.gradings.outputs import MOST_BESIDE, beside_block, columns_beside
from evalcore.views.gradings.state import TABS, GradingsState, Tab, place_in_list
from evalcore.views.judge.messages import answers_of
from evalcore.views.judge.queue import View
from evalcore.views.judge.receipt import refusal, stored_words
from evalcore.views.judge.task import single_forms
from evalcore.views.run.case import case_blocks
from evalcore.views.run.case_markdown import case_markdown
from evalcore.views.run.evidence import case_of, evidence, places_of
from evalcore.views.run.grading import grade_blocks, no_output
from evalcore.views.run.head import head_block, head_of_case, place_block
from evalcore.views.run.human_activity import judged_runs
from evalcore.views.run.steps import steps_panel
from evalcore.views.words import wording
from pages.parts.address import change_address
from pages.parts.judge.session import NOBODY, JudgeSession, Work, write_answered
from pages.parts.judge_name import become, here, likely_name
from pages.parts.own_acts import stored_here
from pages.parts.page import LOOK_HEIGHT
from pages.parts.panels.components import beside_panel, grades_panel, head_panel
from pages.parts.panels.components import steps_panel as steps_tab
from pages.parts.session_state import bound, session_object
from pages.parts.state import Choice

MAX_COPIED: Final = 16_000
EXACT: Final = "Exact text"
TREE: Final = "Tree"
TABLE: Final = "Table"
HIDDEN: Final = "You were asked to judge this run independently: do so on the Judge page."


def evidence_panel(state: GradingsState, found: Grid, run: str, base: dict[str, str]) -> None:
    """Draw the evidence of one run: the head above the tabs, and the open tab.

    `base` are the parameters of every link.
    """
    seen = evidence(state.ws, run)
    transcripts = [file for file in seen.files if file.role == "transcript"]
    outputs = [file for file in seen.files if file.role != "transcript"]
    numbers = {"output": f" {len(outputs)}", "transcript": f" {len(transcripts)}"}
    told = may_have_steps(state.ws, seen.run)
    copied = case_markdown(seen)
    if len(copied) > MAX_COPIED:  # it is sent with every case
        copied = f"{copied[:MAX_COPIED]}\n\n(cut here; Export, This case, has the whole of it)\n"
    case_id = seen.case.case_id
    marks = marks_in(state.ws, outcomes(state.ws, state.suite), case_id)
    head = head_block(seen, marks, judged_runs(state.ws, state.outcomes, case_id))
    around = _around(state, found, case_id, numbers, with_steps=told)
    head_panel({**head, **around, "markdown": copied})
    tab, words, file = state.view.tab, state.view.text, state.view.file
    with st.container(height=LOOK_HEIGHT, border=False, key="evidence-body"):
        if tab == "grades":
            place = f"{base['w']} {state.suite}"
            forms = score_forms(state.ws, run, place) if seen.run.run_id else None
            blocks = grade_blocks(state.ws, seen, with_steps=told)
            grades_panel(blocks, of=seen.run.run_id, base=base, words=words, score=forms)
        elif tab == "case":
            blocks = case_blocks(state.ws, seen.case)
            grades_panel(blocks, key="case-blocks", of=seen.case.case_id, words=words)
        elif tab == "raw":
            raw_panel(state, places_of(state.ws, seen))
        elif tab == "steps":
            view = state.view
            steps_tab(steps_panel(state.ws, run, view.step, view.find, view.part))
        else:
            if file is not None and all(file != one.path for one in seen.files):
                st.text("The file in this address is not one of this run's; another one is shown.")
            if tab == "transcript":
                file_panel(state, transcripts, None, "No transcript saved for this run.")
            else:
                first = seen.excerpt.path if seen.excerpt else None
                if columns := choose_beside(state, seen.run):
                    wanted = next((each for each in outputs if each.path in (file, first)), None)
                    name = None if wanted is None else wanted.name
                    beside_panel(beside_block(state.ws, state.outcomes, seen.run, columns, name))
                else:
                    file_panel(state, outputs, first, no_output(seen.run))


def no_run_panel(state: GradingsState, found: Grid, case_id: str) -> None:
    """Draw a case without runs."""
    case = case_of(state.ws, state.suite, case_id)
    head_panel({**head_of_case(case), **_around(state, found, case_id, {})})
    with st.container(height=LOOK_HEIGHT, border=False, key="evidence-body"):
        if state.view.tab == "raw" and case.source:
            raw_panel(state, [(case.source, case.pointer)])
            return
        st.text("This case has no run in any version yet; this is how it is defined.")
        words = state.view.text
        grades_panel(case_blocks(state.ws, case), key="case-blocks", of=case_id, words=words)


def _around(
    state: GradingsState,
    found: Grid,
    case_id: str,
    numbers: Mapping[str, str],
    *,
    with_steps: bool = False,
) -> PanelData:
    """Return the place in the list and the tabs; `numbers` are added to their names.

    The tab of steps is there where the run may have some, and where it is open.
    """
    shown: list[Tab] = [tab for tab in TABS if tab != "steps"]
    if with_steps or state.view.tab == "steps":
        shown.insert(2, "steps")
    tabs = [{"key": tab, "label": f"{tab.capitalize()}{numbers.get(tab, '')}"} for tab in shown]
    place = place_block(*place_in_list(state, found, case_id), ends(found))
    return {**place, "tab": state.view.tab, "tabs": tabs}


def choose_beside(state: GradingsState, run: RunRow) -> list[int]:
    """Offer the columns whose outputs stand side by side; return those to show, if any."""
    found, own = state.outcomes, Column(run.version or "", run.configuration or "")
    keys = [found.columns[place].key for place in chosen_columns(found, state.query())]
    if len(keys) > 1:
        chosen = [key for key in state.view.beside if key in {each.key for each in found.columns}]
        bound(
            st.multiselect,
            "Outputs side by side",
            list(dict.fromkeys([*keys, *chosen])),
            name="output-beside",
            value=chosen,
            on_choice=lambda picked: change_address(
                beside=replace(state.view, beside=tuple(picked)).parameters()["beside"]
            ),
            max_selections=MOST_BESIDE,
            placeholder=f"Side by side with … (up to {MOST_BESIDE} in all)",
            label_visibility="collapsed",
        )
    return columns_beside(found, state.view.beside, own)


def file_panel(
    state: GradingsState, files: list[OutputFile], first: str | None, empty: str
) -> None:
    """Offer the files of a run and show one of them: the requested one, else the `first`."""
    if not files:
        st.text(empty)
        return
    names = {
        file.path: file.name + ("" if file.size is None else f" · {wording.size(file.size)}")
        for file in files
    }
    wanted = state.view.file
    path = next((one for one in (wanted, first) if one in names), files[0].path)
    if len(files) > 1:
        bound(
            st.selectbox,
            "File",
            list(names),
            name="output-file",
            value=path,
            on_choice=lambda chosen: change_address(file=chosen, line=None),
            format_func=names.__getitem__,
            label_visibility="collapsed",
        )
    else:
        st.text(names[path])
    output = load_output(state.ws, path)
    if output.note:
        st.text(output.note)
    line = state.view.line if path == wanted else None
    if output.kind == "image" and output.data is not None:
        st.image(output.data)
    elif output.kind == "csv" and output.rows and line is None and _as(TABLE) == TABLE:
        _table(output.rows)
    elif output.kind in ("json", "jsonl") and line is None and _as(TREE) == TREE:
        if portions(output.text or "") > 1 or not isinstance(output.value, (dict, list)):
            st.text("Too long for a tree, or no object or list; this is its exact text.")
            _text(output, None)
        else:
            st.json(output.value, expanded=2)
    elif output.text is not None:
        _text(output, line)


def raw_panel(state: GradingsState, places: list[tuple[str, str | None]]) -> None:
    """Show each document at its pointer; the whole document on request."""
    whole = state.view.whole
    if any(pointer for _, pointer in places):
        label = "Show the parts that are meant" if whole else "Show the whole documents"
        if st.button(label, key="raw-whole", type="tertiary"):
            change_address(whole=None if whole else "1")
            st.rerun()
    blocks: list[Block] = []
    for source, pointer in dict.fromkeys(places):
        found = source_excerpt(state.ws, source, "" if whole else pointer or "")
        if found.note:
            blocks.append(Say(found.note))
        path = f"{source}#{found.pointer}" if found.pointer else source
        blocks.append(_lines(Output(path, "text", found.text), None))
    grades_panel(blocks, "raw-lines", budget=None)


def _as(other: str) -> str | None:
    """Offer the ways to show a file that is not only text; a table is the default if possible."""
    how = st.segmented_control(
        "Shown as",
        (other, EXACT),
        default=other if other == TABLE else EXACT,
        required=True,
        key=f"shown-as-{other}",
        label_visibility="collapsed",
    )
    return str(how)


def _text(output: Output, line: int | None) -> None:
    """Show a text with numbered lines, a long one in portions; code in its colours."""
    if output.language is None or line is not None:
        grades_panel([_lines(output, line)], "output-lines", budget=None)
        return
    part = _portion(output, line)
    st.code(part.text, language=output.language, wrap_lines=True, line_numbers=part.first == 1)


def _lines(output: Output, line: int | None) -> Lines:
    part = _portion(output, line)
    message = f"{output.path} · {wording.count(part.lines, 'line')}"
    if part.text.count("\n") + 1 < part.lines:
        message = f"{output.path} · lines {part.first:,} to {part.last:,} of {part.lines:,}"
    return Lines(label=output.path, message=message, text=part.text, first=part.first, line=line)


def _portion(output: Output, line: int | None) -> Portion:
    """Offer the portions of a long text; the default is the one with the line."""
    text = output.text or ""
    total = portions(text)
    if total == 1:
        return portion(text, 1)
    start = next((n for n in range(1, total + 1) if portion(text, n).holds(line or 1)), 1)
    name = output.path.rpartition("/")[2]
    chosen = st.selectbox(
        f"Part of {output.path}",
        list(range(1, total + 1)),
        index=start - 1,
        key=f"part-{hash((output.path, line))}",
        format_func=lambda n: f"{name}, part {n} of {total}",
        label_visibility="collapsed",
    )
    return portion(text, int(chosen))


def _table(rows: tuple[tuple[str, ...], ...]) -> None:
    """Show a table as plain cells; repeated and empty heads get a number."""
    shown = rows_within(rows)
    head, *body = shown
    names = [
        f"{name or 'column'}" if head.index(name) == at else f"{name or 'column'} {at + 1}"
        for at, name in enumerate(head)
    ]
    columns = {
        name: [row[at] if at < len(row) else "" for row in body] for at, name in enumerate(names)
    }
    if len(shown) < len(rows):
        st.text(
            f"The first {len(body):,} of {len(rows) - 1:,} rows; the exact text has all of them."
        )
    st.dataframe(columns, hide_index=True, width="stretch")


@dataclass
class _Scored:
    """The reply to the last score, and the ids that the next records of a run get."""

    told: PanelData = field(default_factory=dict)
    ids: tuple[str, Mapping[str, str]] = ("", {})


def score_forms(ws: Workspace, run: str, place: str) -> PanelData:
    """Return the forms for the criteria of a run; empty where nothing can be scored here.

    What is typed is kept at the `place` where Judge keeps its drafts.
    """
    reviews = review_folder(ws, suite_of(run))
    if run in ws.hidden.runs or unwritable(reviews):
        return {}
    judge, work = here(), session_object(_Scored)
    ids = work.ids[1] if work.ids[0] == run else {}
    shown = task(ws.unmasked, run, judge or NOBODY, load_reviews(reviews), ids)
    work.ids = run, shown.ids
    forms = single_forms(shown, judge, likely_name())
    return forms | {"told": work.told, "w": place, "who": judge.id if judge else None}


def score_one(ws: Workspace, choice: Choice, did: Mapping[str, Any]) -> bool:
    """Store the score that the evidence sends, by the rules of the Judge page; say if it is one."""
    given = did.get("score")
    if not isinstance(given, dict):
        return False
    run = str(given.get("run"))
    told = {"seq": str(did.get("seq")), "run": given.get("run"), "key": given.get("key")}
    try:
        judge = here()
        if judge is None:
            name = str(given.get("name") or "").strip()
            if not name:
                raise CannotJudge("Enter your name first.")
            judge = become(name)
        seen = workspace_for(ws.unmasked, judge)
        if run in seen.hidden.runs:
            raise CannotJudge(HIDDEN)
        session = JudgeSession(seen, suite_of(run), judge, View(run=run), choice, Work())
        now = session.task(run)
        answers = answers_of(now, [given])
        if not answers:
            raise CannotJudge("Choose a score.")
        words = stored_words(*session.store(now, given, answers, partial=True))
        told |= {"ok": True, "text": f"{words} {write_answered(ws.root, now.run_id)}".strip()}
        stored_here()
    except (EvalcoreError, ValueError) as fault:
        told |= {"ok": False, "text": refusal(fault)}
    session_object(_Scored).told = told
    return True
