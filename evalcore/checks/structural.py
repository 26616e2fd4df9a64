"""Check the structural expectations of a test case: of what a run produced, and of its steps."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import eq, ge, le
from time import monotonic
from typing import Any, Final, NamedTuple

from evalcore.checks.needles import Hit, Needle, first_hit, needle, strings_fault
from evalcore.checks.outcome import Outcome, decided, invalid, listed, not_run, quoted, shown
from evalcore.checks.produced import MAX_FILES, Produced
from evalcore.checks.searching import MAX_TEXT, Unsearchable
from evalcore.checks.steps import OF_STEPS, check_steps, without_errors
from evalcore.steps.model import NO_STEPS, Steps

MAX_SEARCHED: Final = 32 * 1024 * 1024
"""Characters of all files together that one expectation searches."""
MAX_SECONDS: Final = 5.0
"""So long a pattern is searched in all files together."""
_OPERATORS: Final[Mapping[str, Callable[[int, int], bool]]] = {"==": eq, ">=": ge, "<=": le}
_CUT: Final = f"The run produced more than the {MAX_FILES:,} files that are looked at."

RunScript = Callable[[str], Outcome]


class _Asked(NamedTuple):
    """An expectation about files, and the paths of those that its pattern names."""

    fields: Mapping[str, Any]
    pattern: str
    paths: list[str]
    produced: Produced


class _Search(NamedTuple):
    """What searching files gave: the first hit, what was searched, and what could not be."""

    hit: tuple[str, Hit] | None
    searched: list[str]
    unread: list[str]
    remarks: list[str]


def check(
    expectation: Mapping[str, Any],
    produced: Produced,
    transcript: str | None,
    run_script: RunScript,
    steps: Steps = NO_STEPS,
) -> Outcome:
    """Return the outcome of one structural expectation; a faulty one is invalid."""
    kind = expectation.get("type")
    if kind == "no_errors":
        return without_errors(transcript)
    if kind == "custom_script":
        script = expectation.get("script")
        if not isinstance(script, str) or not script.strip() or "\0" in script:
            return invalid("custom_script needs the field script, a command without NUL.")
        return run_script(script)
    if isinstance(kind, str) and kind in OF_STEPS:
        return check_steps(kind, expectation, steps)
    if not isinstance(kind, str) or kind not in _TYPES:
        known = ", ".join(sorted([*_TYPES, *OF_STEPS, "no_errors", "custom_script"]))
        return invalid(f"{_named(kind)} is not a type of expectation; the types are {known}.")
    pattern = expectation.get("pattern")
    if not isinstance(pattern, str):
        return invalid(f"{kind} needs the field pattern, a text that names files.")
    paths = produced.matching(pattern)
    if isinstance(paths, Outcome):
        return paths
    return _TYPES[kind](_Asked(expectation, pattern, paths, produced))


def gate_passed(critical: Iterable[Outcome]) -> bool | None:
    """Return False if a critical expectation failed; None if one cannot be said; else True."""
    passed = [outcome.passed for outcome in critical]
    if False in passed:
        return False
    return None if None in passed else True


def _exists(asked: _Asked) -> Outcome:
    if asked.paths:
        return decided(True, f"Found: {listed(asked.paths)}.")
    return _none(asked, passed=False)


def _count(asked: _Asked) -> Outcome:
    count, operator = asked.fields.get("count"), asked.fields.get("operator")
    operator = "==" if operator is None else operator
    if not isinstance(operator, str) or operator not in _OPERATORS:
        return invalid(f"{_named(operator)} is not an operator; use ==, >= and <=.")
    if isinstance(count, float) and count.is_integer():
        count = int(count)
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count < 2**53:
        return invalid("file_count needs the field count, a whole number from 0.")
    amount = len(asked.paths)
    settled = amount >= count if operator == ">=" else amount > count
    if not (asked.produced.complete or settled):
        return not_run(_CUT)
    files = "1 file matches" if amount == 1 else f"{amount:,} files match"
    names = f": {listed(asked.paths)}" if asked.paths else ""
    found = f"{files} {quoted(asked.pattern)}, expected {operator} {count:,}{names}."
    return decided(_OPERATORS[operator](amount, count), found)


def _contains(asked: _Asked) -> Outcome:
    return _held(asked, (), contained=True)


def _lacks(asked: _Asked) -> Outcome:
    exempt = asked.fields.get("except_context")
    if exempt is None or exempt == []:
        return _held(asked, (), contained=False)
    fault = strings_fault(exempt, "except_context")
    return invalid(fault) if fault else _held(asked, exempt, contained=False)


def _held(asked: _Asked, exempt: Sequence[str], *, contained: bool) -> Outcome:
    """Return whether the files hold what is searched, if `contained`; else whether none does."""
    wanted = needle(asked.fields)
    if isinstance(wanted, str):
        return invalid(wanted)
    try:
        found = _searched(asked, wanted, exempt)
    except Unsearchable as error:
        return invalid(str(error))
    if found.hit:
        return decided(contained, _place(*found.hit))
    if found.unread:
        return not_run(f"Not searched: {'; '.join(found.unread[:3])}.")
    if not asked.paths or not asked.produced.complete:
        return _none(asked, passed=not contained)
    but = " except near what exempts it" if exempt else ""
    remark = f" {'; '.join(found.remarks[:3])}." if found.remarks else ""
    return decided(
        not contained, f"Not found{but}: {wanted.said}. Searched: {listed(found.searched)}.{remark}"
    )


_TYPES: Final[Mapping[str, Callable[[_Asked], Outcome]]] = {
    "file_exists": _exists,
    "file_contains": _contains,
    "file_not_contains": _lacks,
    "file_count": _count,
}
OF_FILES: Final = frozenset(_TYPES)
"""The types that the produced files alone decide."""


def _none(asked: _Asked, *, passed: bool) -> Outcome:
    """Return the outcome where no file that is looked at decides."""
    if not asked.produced.complete:
        return not_run(_CUT)
    paths = asked.produced.paths
    instead = f"the run produced {listed(paths)}" if paths else "the run produced no file"
    return decided(passed, f"No file matches {quoted(asked.pattern)}; {instead}.")


def _searched(asked: _Asked, wanted: Needle, exempt: Sequence[str]) -> _Search:
    """Search files in order until a match.

    Raises:
        Unsearchable: the pattern cannot be searched.
    """
    found = _Search(None, [], [], [])
    ends = monotonic() + MAX_SECONDS
    for path, text, why in _texts(asked.paths, asked.produced):
        if text is None or (wanted.pattern is not None and len(text) > MAX_TEXT):
            found.unread.append(
                why or f"{shown(path)} is longer than what patterns are searched in"
            )
            continue
        found.searched.append(path)
        found.remarks.extend([why] if why else [])
        hit = first_hit(text, wanted, exempt, ends - monotonic())
        if hit:
            return found._replace(hit=(path, hit))
    return found


def _texts(paths: list[str], produced: Produced) -> Iterator[tuple[str, str | None, str]]:
    left = MAX_SEARCHED
    for path in paths:
        if left <= 0:
            yield path, None, f"{shown(path)}, after {MAX_SEARCHED:,} characters of other files"
            return
        text, why = produced.text(path)
        left -= len(text or "")
        yield path, text, why


def _place(path: str, hit: Hit) -> str:
    return f"Line {hit.line:,} of {shown(path)}: {quoted(hit.text, 200)}."


def _named(value: object) -> str:
    return quoted(value) if isinstance(value, str) else "What is not a text"
