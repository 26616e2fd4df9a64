"""Decide expectations about what an agent did, from the steps of its transcript."""

import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from time import monotonic
from typing import Any, Final

from evalcore.checks.globs import Glob, parse_glob
from evalcore.checks.needles import Needle, first_hit, needle
from evalcore.checks.outcome import Outcome, decided, invalid, listed, not_run, quoted
from evalcore.checks.searching import MAX_TEXT, Unsearchable
from evalcore.steps.model import Step, Steps, as_text, first

MAX_TOOLS: Final = 100
MAX_SEARCHED: Final = 16 * 1024 * 1024
"""Characters of the arguments of all calls together that one expectation searches."""

_FINDS: Final = ("match", "match_any", "match_regex")
_FIELDS: Final[Mapping[str, frozenset[str]]] = {
    "used_tool": frozenset({"tool", *_FINDS}),
    "not_used_tool": frozenset({"tool", *_FINDS}),
    "used_skill": frozenset({"skill"}),
    "tool_order": frozenset({"tools"}),
    "max_steps": frozenset({"count", "tool", *_FINDS}),
    "max_tool_errors": frozenset({"count", "tool", *_FINDS}),
    "read_file": frozenset({"pattern"}),
    "wrote_file": frozenset({"pattern"}),
}
_OF_ALL: Final = frozenset((
    "type", "id", "name", "title", "text", "description", "critical", "required", "severity",
    "weight", "priority", "group", "category", "tags", "notes", "note", "comment", "reason",
    "rationale",
))  # fmt: skip
"""What criteria of every kind may have: words and weights, which decide nothing here."""
_SECONDS: Final = 5.0
_SKILL_TOOLS: Final = frozenset({"skill", "activate_skill", "use_skill", "load_skill"})
_WRITES: Final = re.compile(
    r"(?:^|[^a-z])(?:write|edit|multiedit|create|patch|save|replace|append|insert|change)",
    re.IGNORECASE,
)
_READS: Final = re.compile(r"(?:^|[^a-z])(?:read|view|open|cat|get_file)", re.IGNORECASE)
_SHELLS: Final = re.compile(r"(?:^|[^a-z])(?:bash|shell|exec|command|terminal)", re.IGNORECASE)
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_PATHS: Final = (
    "path", "file_path", "filePath", "absolute_path", "filename", "file", "notebook_path",
)  # fmt: skip
_PATCHED: Final = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_WORD: Final = re.compile(r"[^\s'\"`;|&<>()=]+")
_MAX_WORDS: Final = 2_000
_NO_STEPS: Final = "The run has no transcript that tells its steps, so it is unknown what it did."
_NO_TOOLS: Final = "The transcript holds words only; whether tools were used is unknown."
_PARTLY: Final = "Not all of the transcript could be read, so it is unknown whether there is more."


# At the start of a line, after the marks of a quotation, a list or a terminal's prompt.
_START: Final = r"^[\s>|*`$#-]{0,20}"
_ERRORS: Final = re.compile(
    r"Traceback \(most recent call last\)"
    rf"|{_START}(?:[\w.]{{0,100}}(?:Error|Exception)|error|ERROR)\b(?:\[\w{{1,20}}\])?(?::|$)"
    rf"|{_START}(?:fatal|FATAL|Fatal|panic):"
    rf"|{_START}\[(?:error|ERROR|fatal|FATAL)\]"
    rf"|{_START}npm ERR!"
    r"|\bException in thread\b"
    r"|\b[Uu]n(?:caught|handled) (?:[Pp]romise )?\w{0,60}(?:[Ee]rror|[Ee]xception|[Rr]ejection)\b"
    r"|\bcommand not found\b|\bSegmentation fault\b"
    r"|\b[Ee]xit(?:ed)?(?: with)?[ _]?(?:[Cc]ode|[Ss]tatus)(?: of)?[\"'`]?\s{0,4}[:=]?\s{0,4}"
    r"[\"'`]?-?0{0,9}[1-9]\d{0,9}",
    re.MULTILINE,
)


class _Faulty(Exception):
    """An expectation that cannot be decided, as it is written."""


def check_steps(kind: str, fields: Mapping[str, Any], steps: Steps) -> Outcome:
    """Return the outcome of an expectation about steps, of one of the types in `OF_STEPS`.

    A run of which nothing tells the steps is not run, never failed; so is one of which only a part
    could be read, where the rest could change the answer.
    """
    try:
        if (unknown := unknown_field({**fields, "type": kind})) is not None:
            takes = listed(sorted(_FIELDS[kind]))
            raise _Faulty(f"{kind} has no field {quoted(unknown)}; its fields are {takes}.")
        decide = OF_STEPS[kind](fields)
        if not steps.understood:
            return not_run(_NO_STEPS)
        if not steps.has_tools:
            return not_run(_NO_TOOLS)
        return decide(steps)
    except (_Faulty, Unsearchable) as error:
        return invalid(str(error))


def unknown_field(fields: Mapping[str, Any]) -> str | None:
    """Return the first field of an expectation about steps that its type does not have.

    One that is passed over would make a rule hold that was meant to be stricter.
    """
    own = _FIELDS.get(str(fields.get("type")))
    known = _OF_ALL | (own or frozenset())
    unknown = (
        name
        for name, value in fields.items()
        if name not in known and not name.startswith("_") and value is not None
    )
    return None if own is None else next(unknown, None)


_Decide = Callable[[Steps], Outcome]


def _uses(*, wanted: bool) -> Callable[[Mapping[str, Any]], _Decide]:
    """Return what decides whether a tool was used, as is wanted or not."""

    def prepare(fields: Mapping[str, Any]) -> _Decide:
        found = _calls_of(fields)

        def decide(steps: Steps) -> Outcome:
            if (hit := next(found(steps), None)) is not None:
                return decided(wanted, _said(hit))
            return _absent(steps, f"No use of {_asked(fields)}", passed=not wanted)

        return decide

    return prepare


def _skill(fields: Mapping[str, Any]) -> _Decide:
    name = fields.get("skill")
    if name is not None and (not isinstance(name, str) or not name.strip()):
        raise _Faulty("used_skill takes the field skill, the name of a skill.")

    def decide(steps: Steps) -> Outcome:
        for step in steps.calls:
            if step.status == "error":
                continue
            about = step.arguments if isinstance(step.arguments, Mapping) else {}
            asked = first(about, "skill", "skill_name", "name", "command")
            if str(step.tool).lower() in _SKILL_TOOLS:
                # A plugin's skill is called `plugin:skill`.
                if name is None or str(asked).lstrip("/").rpartition(":")[2] == name:
                    return decided(True, _said(step))
                continue
            for path in (*_paths(step), *_words(step)):
                *above, last = path.replace("\\", "/").split("/")
                if last == "SKILL.md" and (name is None or above[-1:] == [name]):
                    return decided(True, _said(step))
        which = "No skill" if name is None else f"The skill {quoted(name)}"
        return _absent(
            steps, f"{which} was not used" if name else "No skill was used", passed=False
        )

    return decide


def _order(fields: Mapping[str, Any]) -> _Decide:
    tools = fields.get("tools")
    if not isinstance(tools, list) or not 0 < len(tools) <= MAX_TOOLS:
        raise _Faulty(f"tool_order needs the field tools, a list of 1 to {MAX_TOOLS} names.")
    wanted = [_named(each) for each in tools]

    def decide(steps: Steps) -> Outcome:
        reached, places = 0, list[str]()
        for step in steps.calls:
            if reached < len(wanted) and wanted[reached].match(str(step.tool)):
                reached += 1
                places.append(f"{step.tool} in turn {step.turn:,}")
        if reached == len(wanted):
            return decided(True, f"In this order: {listed(places)}.")
        after = f" after {places[-1]}" if places else ""
        return _absent(steps, f"No use of {quoted(tools[reached])}{after}", passed=False)

    return decide


def _most_steps(fields: Mapping[str, Any]) -> _Decide:
    most = _count(fields, "max_steps")
    found = _calls_of(fields) if fields.get("tool") is not None else None

    def decide(steps: Steps) -> Outcome:
        if found is not None:
            amount, what = sum(1 for _ in found(steps)), f"uses of {_asked(fields)}"
        else:
            said = sum(step.kind == "assistant" for step in steps.steps)
            amount, what = len(steps.calls) + said, "steps (uses of tools, and answers)"
        return _bounded(steps, amount, most, what)

    return decide


def _most_errors(fields: Mapping[str, Any]) -> _Decide:
    most = _count(fields, "max_tool_errors")
    found = _calls_of(fields)

    def decide(steps: Steps) -> Outcome:
        failed = [step for step in found(steps) if step.status == "error"]
        last = f" The last: {_said(failed[-1])}" if failed else ""
        outcome = _bounded(steps, len(failed), most, "errors of tools")
        return outcome._replace(evidence=f"{outcome.evidence}{last}"[:600])

    return decide


def _touched(of_tool: re.Pattern[str], done: str) -> Callable[[Mapping[str, Any]], _Decide]:
    """Return what decides whether a file was read, or written."""

    def prepare(fields: Mapping[str, Any]) -> _Decide:
        pattern = fields.get("pattern")
        glob = parse_glob(pattern) if isinstance(pattern, str) else "It needs the field pattern."
        if not isinstance(glob, Glob):
            raise _Faulty(glob)

        def decide(steps: Steps) -> Outcome:
            named: Step | None = None
            for step in steps.calls:
                about = step.arguments if isinstance(step.arguments, Mapping) else {}
                paths, name = _paths(step), about.get("command")
                # One tool that does both says which in its arguments.
                what = name if isinstance(name, str) and paths else _CAMEL.sub("_", str(step.tool))
                does = of_tool.search(what) is not None
                named_here = does and any(_ends(glob, path) for path in paths)
                if named_here and step.status != "error":
                    return decided(True, _said(step))
                if named is None and any(_ends(glob, word) for word in _words(step)):
                    named = step
            if named is not None:
                return not_run(f"A command names it, which may have {done} it. {_said(named)}")
            return _absent(
                steps, f"No file that matches {quoted(str(pattern))} was {done}", passed=False
            )

        return decide

    return prepare


OF_STEPS: Final[Mapping[str, Callable[[Mapping[str, Any]], _Decide]]] = {
    "used_tool": _uses(wanted=True),
    "not_used_tool": _uses(wanted=False),
    "used_skill": _skill,
    "tool_order": _order,
    "max_steps": _most_steps,
    "max_tool_errors": _most_errors,
    "read_file": _touched(_READS, "read"),
    "wrote_file": _touched(_WRITES, "written"),
}
"""The types of expectations about steps."""


def _calls_of(fields: Mapping[str, Any]) -> Callable[[Steps], Iterator[Step]]:
    """Return what yields the calls that an expectation is about: by tool, and by argument."""
    tool = fields.get("tool")
    is_required = fields.get("type") in ("used_tool", "not_used_tool")
    if tool is None and is_required:
        raise _Faulty("It needs the field tool, the name of a tool or a pattern such as *read*.")
    wanted = _named("*" if tool is None else tool)
    given = any(fields.get(name) is not None for name in _FINDS)
    argument = needle(fields) if given else None
    if isinstance(argument, str):
        raise _Faulty(argument)

    def found(steps: Steps) -> Iterator[Step]:
        left, ends = MAX_SEARCHED, monotonic() + _SECONDS
        for step in steps.calls:
            if not wanted.match(str(step.tool)):
                continue
            if argument is not None:
                text = "\n".join(_texts(step.arguments))[:MAX_TEXT]
                left -= len(text)
                seconds = ends - monotonic()
                if left < 0 or seconds <= 0:
                    raise Unsearchable("The arguments of the calls are too long to search.")
                if first_hit(text, argument, (), seconds) is None:
                    continue
            yield step

    return found


def _named(tool: object) -> re.Pattern[str]:
    if not isinstance(tool, str) or not 0 < len(tool) <= 200:
        raise _Faulty("A tool is named by a text of 1 to 200 characters.")
    return re.compile(fnmatch.translate(tool), re.IGNORECASE)


def _count(fields: Mapping[str, Any], kind: str) -> int:
    count = fields.get("count")
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < 2**53:
        raise _Faulty(f"{kind} needs the field count, a whole number from 0.")
    return count


def _bounded(steps: Steps, amount: int, most: int, what: str) -> Outcome:
    if amount <= most and not _whole(steps):
        return not_run(_PARTLY)
    return decided(amount <= most, f"{amount:,} {what}, at most {most:,}.")


def _absent(steps: Steps, what: str, *, passed: bool) -> Outcome:
    if not _whole(steps):
        return not_run(_PARTLY)
    tools = list(dict.fromkeys(str(step.tool) for step in steps.calls))
    used = f"the run used {listed(tools)}" if tools else "the run used no tool"
    return decided(passed, f"{what}; {used}.")


def _whole(steps: Steps) -> bool:
    return not (steps.unread or steps.left_out)


def _asked(fields: Mapping[str, Any]) -> str:
    given = any(fields.get(name) is not None for name in _FINDS)
    wanted = needle(fields) if given else None
    with_ = f" with {wanted.said}" if isinstance(wanted, Needle) else ""
    return f"{quoted(str(fields.get('tool', '*')))}{with_}"


def _said(step: Step) -> str:
    asked = "\n".join(islice(_texts(step.arguments), 3))
    failed = " It failed." if step.status == "error" else ""
    return f"Turn {step.turn:,}: {step.tool} {quoted(asked, 200)}.{failed}"


def _paths(step: Step) -> list[str]:
    """Return the files that a call names: by the names that tools give them, or in a patch."""
    about = step.arguments
    if isinstance(about, str):
        return _PATCHED.findall(about)
    if not isinstance(about, Mapping):
        return []
    found = [about[name] for name in _PATHS if isinstance(about.get(name), str)]
    changes = about.get("changes")
    if isinstance(changes, Mapping):
        found += [name for name in changes if isinstance(name, str)]
    held = changes if isinstance(changes, list) else ()
    found += [
        each["path"]
        for each in held
        if isinstance(each, Mapping) and isinstance(each.get("path"), str)
    ]
    for name in ("input", "patch"):
        if isinstance(about.get(name), str):
            found += _PATCHED.findall(about[name])
    return found


def _words(step: Step) -> Iterable[str]:
    """Return the words of a command, of which some may be files."""
    if not _SHELLS.search(_CAMEL.sub("_", str(step.tool))):
        return ()
    words = (match[0] for text in _texts(step.arguments) for match in _WORD.finditer(text))
    return islice(words, _MAX_WORDS)


def _ends(glob: Glob, path: str) -> bool:
    """Return whether a path, or its end below some folder, matches."""
    names = path.replace("\\", "/").removeprefix("./").split("/")[-40:]
    return any(glob.matches("/".join(names[at:])) for at in range(len(names)))


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Yield the texts in the arguments of a call."""
    if isinstance(value, Mapping) and depth < 8:
        for each in value.values():
            yield from _texts(each, depth + 1)
    elif isinstance(value, list) and depth < 8:
        for each in value:
            yield from _texts(each, depth + 1)
    elif value is not None:
        yield as_text(value)


def without_errors(transcript: str | None) -> Outcome:
    """Return whether a transcript has no line that reports an error."""
    if transcript is None or not transcript.strip():
        return not_run("The run has no transcript, so it is unknown whether errors occurred.")
    found = _ERRORS.search(transcript)
    if found is None:
        lines = transcript.count("\n") + 1
        return decided(True, f"No error in the {lines:,} lines of the transcript.")
    at = found.end()  # a pattern may begin on blank lines before
    line = transcript.count("\n", 0, at) + 1
    text = transcript[transcript.rfind("\n", 0, at) + 1 :].partition("\n")[0]
    return decided(False, f"Line {line:,} of the transcript: {quoted(text, 200)}.")
