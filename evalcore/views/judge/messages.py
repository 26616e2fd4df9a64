"""Messages of the judging form, validated before use."""

import math
import re
from collections.abc import Mapping
from typing import Any, Final

from evalcore.judging.model import Answer, Level, OwnJudgment, Task
from evalcore.views.judge.task import short_key

MAX_CRITERIA: Final = 1_000
MAX_BASIS: Final = 200_000

_ID: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_LEVELS: Final[tuple[Level, ...]] = ("low", "medium", "high")


def text_in(message: Mapping[str, Any], name: str) -> str:
    """Return a text of a message, however long; empty if missing."""
    value = message.get(name)
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else ""


def is_of(message: Mapping[str, Any], judge: str) -> bool:
    """Return whether the browser tab that sent it showed this judge's name, if it says so."""
    return message.get("judge") in (None, judge)


def answers_of(task: Task, value: object) -> tuple[Answer, ...]:
    """Return the answers of a message that have a score; which need a reason, the core knows.

    An answer to a criterion that was removed keeps the key that the tab used for it.
    """
    keys = {short_key(each.key): each.key for each in task.criteria}
    found = []
    for item in (value if isinstance(value, list) else [])[:MAX_CRITERIA]:
        if not isinstance(item, dict) or not isinstance(key := item.get("key"), str):
            continue
        given = _given(item)
        why, quotes = given["rationale"].strip(), tuple(given["evidence"])
        if given["score"] is not None:
            found.append(Answer(keys.get(key, key), given["score"], why, quotes, given["level"]))
    return tuple(found)


def _given(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return what an answer says, which may be incomplete; passages of evidence are never cut."""
    score, quotes, level = item.get("score"), item.get("evidence"), item.get("level")
    if isinstance(score, bool) or not isinstance(score, int | float) or not math.isfinite(score):
        score = None
    return {
        "score": None if score is None else float(score),
        "rationale": text_in(item, "rationale"),
        "evidence": [
            quote
            for quote in (quotes if isinstance(quotes, list) else ())
            if isinstance(quote, str) and quote
        ],
        "level": level if level in _LEVELS else None,
    }


def task_as_shown(task: Task, body: Mapping[str, Any]) -> Task:
    """Return a task as the tab showed it, with its submission ids and hashes.

    What the message does not contain counts as never seen. An own score that changed since counts
    as the shown one, of which only the id is known.
    """
    keys = {short_key(each.key): each.key for each in task.criteria}

    def named(value: object, form: re.Pattern[str]) -> dict[str, str]:
        """Return texts under the keys of the criteria instead of the tab's short ones."""
        return {keys[key]: text for key, text in _texts(value, form).items() if key in keys}

    basis = body.get("basis")
    hashes = _texts(basis, _SHA256)
    seen = task.basis._replace(
        output=hashes.get("output"),
        prompt=hashes.get("prompt"),
        criteria=named(basis.get("criteria") if isinstance(basis, dict) else None, _SHA256),
    )
    ids, mine = _texts(body.get("mine"), _ID), dict[str, OwnJudgment]()
    for key, own in task.mine.items():
        shown = ids.get(short_key(key))
        if shown == own.id:
            mine[key] = own
        elif shown is not None:
            mine[key] = OwnJudgment(shown, own.key, None, "", (), None, own.stale)
    submissions = {**task.ids, **named(body.get("ids"), _ID)}
    return task._replace(ids=submissions, basis=seen, mine=mine)


def typed_before(was: Task, now: Task, at: object) -> dict[str, Any]:
    """Return scores that were just withdrawn as a draft of the current run."""
    answers = {
        short_key(key): {
            "score": each.score,
            "rationale": each.rationale,
            "evidence": list(each.evidence),
            "level": each.level,
        }
        for key, each in was.mine.items()
        if each.score is not None
    }
    ids = {short_key(key): name for key, name in now.ids.items()}
    return {"run": now.run_id, "ids": ids, "answers": answers, "at": at, "basis": None}


def draft_of(value: object) -> dict[str, Any] | None:
    """Return a draft in its stored form, None if it is empty."""
    if not isinstance(value, dict) or not isinstance(value.get("run"), str):
        return None
    stated, answers = value.get("answers"), {}
    for key, item in list((stated if isinstance(stated, dict) else {}).items())[:MAX_CRITERIA]:
        if isinstance(key, str) and isinstance(item, dict):
            given = _given(item)
            if any(each not in (None, "", []) for each in given.values()):
                answers[key] = given
    note, at, basis = text_in(value, "note"), value.get("at"), value.get("basis")
    if not answers and not note:
        return None
    return {
        "run": value["run"],
        "ids": _texts(value.get("ids"), _ID),
        "answers": answers,
        "note": note,
        "at": at if isinstance(at, int | float) and not isinstance(at, bool) else 0,
        "basis": basis if isinstance(basis, dict) and len(repr(basis)) < MAX_BASIS else None,
    }


def _texts(value: object, form: re.Pattern[str]) -> dict[str, str]:
    items = value.items() if isinstance(value, dict) else ()
    return {
        str(key): item
        for key, item in list(items)[:MAX_CRITERIA]
        if isinstance(item, str) and form.fullmatch(item)
    }
