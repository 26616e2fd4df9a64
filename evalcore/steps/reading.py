"""Read the steps of a transcript: its format is recognised by its shape, never by its name."""

from collections.abc import Mapping
from itertools import islice
from typing import Any, Final

from evalcore.disk.parsing import MISSING, parsed, parsed_lines
from evalcore.steps.collecting import Collector
from evalcore.steps.events import LISTS, event
from evalcore.steps.markdown import markdown
from evalcore.steps.messages import is_message, logged_call, spent
from evalcore.steps.model import Steps, amount, first, tokens_of
from evalcore.steps.spans import is_trace, spans

MAX_BYTES: Final = 64 * 1024 * 1024
MAX_MARKDOWN: Final = 8 * 1024 * 1024
_TRIED: Final = 40
"""So many lines tell whether a text is JSON lines; agents print some of another kind first."""


def read_steps(data: bytes, source: str | None = None) -> Steps:
    """Return the steps of a transcript, read from its bytes; nothing in it can make this fail."""
    out = Collector(source)
    data = data[:MAX_BYTES]
    if not data.strip() or (b"\0" in data and not data.startswith((b"\xff\xfe", b"\xfe\xff"))):
        return Steps(source=source)
    if _is_lines(data):
        _read_lines(out, data)
    elif data.lstrip()[:1] in (b"{", b"[") or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        value, fault = parsed(data)
        if value is MISSING:
            out.unknown(fault.message if fault else "It could not be read.")
        else:
            _read_document(out, value)
    else:
        text = data[:MAX_MARKDOWN].decode("utf-8", "replace").replace("\r\n", "\n")
        if not markdown(out, text):
            out.unknown(text)
        elif data[MAX_MARKDOWN:]:
            out.unknown("[The transcript is longer and is not read to its end.]")
    return out.finished()


def is_json(data: bytes) -> bool:
    """Return whether a text is JSON or JSON lines by its beginning, and not words in a form."""
    return data.lstrip()[:1] in (b"{", b"[") or _is_lines(data)


def read_log(calls: object, source: str, pointer: str) -> Steps:
    """Return the steps of a log of calls that stands in a record; a log in a text is read."""
    if isinstance(calls, str):
        calls = parsed(calls.encode("utf-8", "replace"))[0]
    out = Collector(source)
    if isinstance(calls, list):
        out.has_tools = True
        for at, each in enumerate(calls):
            logged_call(out, each, f"{pointer}/{at}")
    return out.finished()


def _is_lines(data: bytes) -> bool:
    """Return whether most of the first lines are a JSON object each, and there are several."""
    end = -1
    for _ in range(4 * _TRIED):
        if (end := data.find(b"\n", end + 1)) < 0:
            break
    begin = data[: end if end >= 0 else len(data)]
    lines = list(islice((line for line in begin.split(b"\n") if line.strip()), _TRIED))
    objects = sum(map(_is_object, lines))
    return len(lines) > 1 and 2 * objects > len(lines)


def _is_object(line: bytes) -> bool:
    return line.lstrip()[:1] == b"{" and parsed(line)[0] is not MISSING


def _read_lines(out: Collector, data: bytes) -> None:
    lines = data.split(b"\n")
    number = 0
    edited: dict[str, tuple[str, Any]] | None = None
    traces = list[tuple[str, Any]]()
    for at, value, fault in parsed_lines(data):
        if value is not MISSING:
            if edited is None and _edits(value):
                edited = {}
            if edited is not None and isinstance(value, Mapping):
                _edit(edited, value, f"/{number}")
            elif is_trace(value):
                traces.append((f"/{number}", value))
            else:
                event(out, value, f"/{number}")
            number += 1
        elif fault is not None and at < len(lines):
            out.unknown(lines[at].decode("utf-8", "replace"))
    spans(out, traces)
    for place, value in (edited or {}).values():
        event(out, value, place)


def _edits(value: object) -> bool:
    """Return whether a line begins or edits a session of Gemini CLI."""
    return isinstance(value, Mapping) and (
        "projectHash" in value or "$set" in value or "$rewindTo" in value
    )


def _edit(kept: dict[str, tuple[str, Any]], value: Mapping[str, Any], at: str) -> None:
    """Take a line of a session of Gemini CLI into the messages that are kept, by their ids.

    A message is written again with each change of it. An edit gives all messages anew, or takes
    back one and those after it: all, where it names none that is there.
    """
    if "$rewindTo" in value:
        back = value["$rewindTo"]
        while kept and kept.popitem()[0] != back:
            pass
    elif _edits(value):
        edit, place = (value["$set"], f"{at}/$set") if "$set" in value else (value, at)
        messages = edit.get("messages") if isinstance(edit, Mapping) else None
        if isinstance(messages, list):
            kept.clear()
            for number, each in enumerate(messages):
                id_ = each.get("id") if isinstance(each, Mapping) else None
                name = id_ if isinstance(id_, str) else f"{place}/{number}"
                kept[name] = (f"{place}/messages/{number}", each)
    else:
        kept[value["id"] if isinstance(value.get("id"), str) else at] = (at, value)


def _read_document(out: Collector, value: Any) -> None:
    """Take in a document: a list of messages or events, or what holds one."""
    if isinstance(value, list):
        held, at = value, ""
    elif not isinstance(value, Mapping):
        out.unknown(value, "")
        return
    elif is_trace(value):
        spans(out, [("", value)])
        return
    else:
        held, at = _list_of(value)
        if not held:
            event(out, value, "")
            return
        model = first(value, "model", "model_name")
        out.state(
            model=model if isinstance(model, str) else None,
            cost_usd=amount(value.get("total_cost_usd")),
            tokens=spent(value).tokens,
        )
        _took(out, value if "model_usage" in value else _sample(value))
    for number, each in enumerate(held):
        event(out, each, f"{at}/{number}")


def _sample(value: Mapping[str, Any]) -> Any:
    """Return the only sample of a log of Inspect; None where there are several."""
    samples = value.get("samples")
    if isinstance(samples, list):
        return samples[0] if len(samples) == 1 else None
    return value.get("sample")


def _took(out: Collector, sample: object) -> None:
    """Take in what a sample of Inspect says it took: the tokens of all models, and its time."""
    usage = sample.get("model_usage") if isinstance(sample, Mapping) else None
    if isinstance(sample, Mapping) and isinstance(usage, Mapping):
        tokens = [each for each in map(tokens_of, usage.values()) if each is not None]
        out.state(
            tokens=sum(tokens) if tokens else None, duration_s=amount(sample.get("total_time"))
        )


def _list_of(value: Mapping[str, Any]) -> tuple[list[Any], str]:
    """Return the list of what was said and done that a document holds, and its place.

    An answer of a model holds its own parts as `output` or `content`, and a request what went
    before as `input`; an answer of OpenAI's chat stands among `choices`. Of a log with several
    samples nothing says which is meant.
    """
    if is_message(value) and value.get("type") != "message":
        return [], ""
    for name in (*LISTS, "output", "choices", "input"):
        held = value.get(name)
        if isinstance(held, list) and held:
            if name == "choices":
                return [each.get("message") for each in held if isinstance(each, Mapping)], ""
            return held, f"/{name}"
    places = {
        name: value.get(name) for name in ("session", "data", "transcript", "trace", "sample")
    }
    if isinstance(value.get("samples"), list):
        places["samples/0"] = _sample(value)
    for name, held in places.items():
        if isinstance(held, list) and held:
            return held, f"/{name}"
        if isinstance(held, Mapping):
            found, at = next(
                (
                    (held[each], f"/{name}/{each}")
                    for each in LISTS
                    if isinstance(held.get(each), list)
                ),
                ([], ""),
            )
            if found:
                return found, at
    return [], ""
