"""What all questions to a model share: data between marks, strict JSON answers, what they used."""

import json
import math
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final, Generic, NamedTuple, TypeGuard, TypeVar

import msgspec

from evalcore.models.calls import Answer, Call, Message, Stopped
from evalcore.models.cleaning import plain
from evalcore.models.client import complete
from evalcore.models.configuration import Model
from evalcore.texts.plain import fold, squeeze, unmarked

UNANSWERED: Final = frozenset({"rate_limited", "timeout", "error", "cancelled"})
"""The statuses of calls that decide nothing: asking later may succeed."""

PLACEHOLDER: Final = "text"
"""What stands for a text in the form of an answer; small models send the form back."""
REPAIR: Final = (
    "Your answer could not be read. {why} Give the same answer again, as one JSON object of the "
    "form that was asked for and nothing else."
)
MAX_REPEATED: Final = 40_000
"""Characters of an answer that are sent back with the question for another one."""
SENT_BACK: Final = "The model sent the form back, without a text of its own."

_AROUND: Final = " \"'“”‘’«»"
_THOUGHT: Final = re.compile(
    r"\A\s*(?:(?:<(?P<open>think|thinking|thought|reasoning)>.*?</(?P=open)>"
    r"|\[THINK\].*?\[/THINK\]|◁think▷.*?◁/think▷)\s*)+"
    r"|\A\s*[^\s{`<].*?</think>\s*",
    re.DOTALL | re.IGNORECASE,
)
"""What a model thinks before it answers; some servers send the end of it only."""
_FENCE: Final = re.compile(r"\A\s*```(?:json)?[ \t]*\n(?P<inside>.*)\n```\s*\Z", re.DOTALL)
_TO_JUDGE: Final = re.compile(
    r"\b(?:as|dear|note to)\s+(?:the\s+|an?\s+)?(?:ai\s+)?(?:evaluator|grader|judge)\b"
    r"|\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+|the\s+|your\s+)*"
    r"(?:previous|prior|above|earlier)\s+(?:instructions?|prompts?|criteria|rubric)"
    r"|\b(?:give|award|assign|grant)\s+(?:it|this|me|the\s+\w+)\s+(?:an?\s+|the\s+)?"
    r"(?:full|maximum|max|top|highest|perfect|\d+)\b"
    r"|\b(?:score|rate|grade)\s+(?:it|this|me)\s+(?:an?\s+)?(?:\d+|full|maximum|perfect)\b"
    r"|</?(?:output|answer|system|instructions?)>",
    re.IGNORECASE,
)


T = TypeVar("T")


class Invalid(NamedTuple):
    """Why an answer, or a part of it, counts for nothing."""

    why: str


class Unanswered(Exception):
    """The model could not be asked: nothing is decided, and asking later may succeed."""

    def __init__(self, answer: Answer, who: str = "The judge") -> None:
        super().__init__(answer.why)
        self.status, self.why = answer.status, f"{who}: {answer.why}"


def new_mark() -> str:
    """Return a mark that stands around data, drawn anew for each call, so that no data knows it."""
    return f"=={secrets.token_hex(16)}=="


def marked(what: str, text: str, mark: str, *, cut: bool = False) -> str:
    """Return a text between marks that say what it is."""
    end = "\n[cut here]" if cut else ""
    return f"{mark} begin {what}\n{text}{end}\n{mark} end"


def object_schema(properties: dict[str, Any]) -> dict[str, Any]:
    """Return the JSON schema of an object: every field is required, and there are no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


class Replied(NamedTuple, Generic[T]):
    """The answer of a model that counts and what it says; `all` are those that were paid for.

    `remarks` say that it was asked a second time, and why.
    """

    answer: Answer
    said: T | Invalid
    all: tuple[Answer, ...]
    remarks: tuple[str, ...] = ()


def reply(
    model: Model,
    asked: list[Message],
    schema: dict[str, Any],
    retries: int,
    stopped: Stopped,
    read: Callable[[str], T | Invalid],
    *,
    again: bool = False,
) -> Replied[T]:
    """Ask a model; with `again`, once more where `read` can make nothing of its answer.

    The second answer counts, unless it did not come whole.
    """
    call = Call(asked, schema=schema, seconds=model.seconds, retries=retries)
    first = complete(model, call, stopped)
    said = _said(first, read)
    if not again or first.status != "completed" or not isinstance(said, Invalid):
        return Replied(first, said, (first,))
    repair = [
        *asked,
        {"role": "assistant", "content": text_of(first)[:MAX_REPEATED] or "(nothing)"},
        {"role": "user", "content": REPAIR.format(why=said.why)},
    ]
    second = complete(model, msgspec.structs.replace(call, messages=repair), stopped)
    told = f"{model.model} was asked a second time, as its answer could not be read: {said.why}"
    counts, what = (second, _said(second, read)) if second.status == "completed" else (first, said)
    return Replied(counts, what, (first, second), (told,))


def _said(answer: Answer, read: Callable[[str], T | Invalid]) -> T | Invalid:
    found = read(text_of(answer)) if answer.status == "completed" else Invalid(answer.why)
    if isinstance(found, Invalid) and answer.tool_calls and not answer.text.strip():
        name = answer.tool_calls[0].name[:60]
        return Invalid(f"It asked for the tool {name!r} instead of answering, and it has none.")
    return found


def text_of(answer: Answer) -> str:
    """Return what a model answered: its text, or without one the arguments of its one tool call."""
    if answer.text.strip() or len(answer.tool_calls) != 1:
        return answer.text
    return answer.tool_calls[0].arguments


def read_json(text: str, who: str = "the judge") -> Any | Invalid:
    """Return the one JSON value of an answer.

    What the model thinks before it, and a fence of Markdown around all of it, are taken off.
    """
    text = _THOUGHT.sub("", text, count=1)
    fenced = _FENCE.match(text)
    try:
        value = json.loads(
            fenced["inside"] if fenced else text,
            object_pairs_hook=_each_once,
            parse_constant=_refused,
        )
        return _plain(value)
    except (json.JSONDecodeError, RecursionError):
        return Invalid(f"The answer of {who} is no valid JSON.")
    except ValueError as error:
        return Invalid(f"The answer of {who} is no valid JSON: {error}.")


def _plain(value: Any) -> Any:
    """Return a value whose texts can be written: JSON can escape half of a surrogate pair."""
    if isinstance(value, str):
        return plain(value)
    if isinstance(value, list):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {plain(name): _plain(each) for name, each in value.items()}
    return value


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; one with a name twice says two things, of which none counts."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands in it twice")
    return found


def _refused(name: str) -> None:
    raise ValueError(f"{name} is no number")


def is_number(value: Any) -> TypeGuard[int | float]:
    """Return whether a value is a finite number; true and false are none."""
    return type(value) is int or (type(value) is float and math.isfinite(value))


def short(value: Any) -> str:
    """Return a value as JSON readers write it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def speaks_to_judge(text: str) -> str | None:
    """Return the first passage of an output that looks as if it were meant for a judge."""
    found = _TO_JUDGE.search(text)
    if found is None:
        return None
    start = max(text.rfind("\n", 0, found.start()) + 1, found.start() - 60)
    return " ".join(text[start : found.end() + 60].split())


def quoted_in(texts: Iterable[str]) -> Callable[[str], bool]:
    """Return what says whether a passage stands in texts.

    Space, case, marks and quotation marks around it make no difference.
    """
    whole = squeeze(unmarked(fold("\n".join(texts))))
    return lambda passage: squeeze(unmarked(fold(passage.strip(_AROUND)))) in whole


def to_judge(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Return a sentence on each text (what it is, the text) that seems to speak to a judge."""
    found = ((where, speaks_to_judge(text)) for where, text in texts)
    return [
        f"{where} contains a passage that may address the judge: “{passage[:200]}”."
        for where, passage in found
        if passage is not None
    ]


def named_together(models: Iterable[Model]) -> str:
    """Return the name of models as one judge, as their servers call them."""
    return " + ".join(dict.fromkeys(each.model for each in models))


def about_answers(
    models: Sequence[Model],
    answers: Sequence[Answer],
    prompt_sha256: str,
    criteria_sha256: str | None = None,
) -> dict[str, Any]:
    """Return what is stored with what models said, so that it can be told later how it came."""
    found: dict[str, Any] = {"model": named_together(models), "prompt_sha256": prompt_sha256}
    if criteria_sha256 is not None:
        found["criteria_sha256"] = criteria_sha256
    found["answer_form"] = next((one.form for one in answers if one.status == "completed"), "text")
    named = dict.fromkeys(each.model for each in answers if each.model)
    others = [name[:200] for name in named if name not in {each.model for each in models}]
    if others:
        found["model_named_by_server"] = ", ".join(others)
    if len(models) > 1:
        found["models"] = [{"model": each.model, "parameters": each.parameters} for each in models]
    elif models[0].parameters:
        found["parameters"] = models[0].parameters
    return found


def taken(answers: Iterable[Answer]) -> dict[str, Any]:
    """Return the calls, tokens and US dollars of answers, as far as they are known."""
    known = list(answers)
    tokens = [each.tokens for each in known if each.tokens is not None]
    costs = [each.cost_usd for each in known if each.cost_usd is not None]
    return {
        "calls": sum(each.requests for each in known),
        "tokens": sum(tokens) if tokens else None,
        "cost_usd": sum(costs) if costs else None,
    }
