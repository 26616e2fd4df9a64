"""What tools call one thing in their documents, most frequent first: one list for each idea.

A name is read wherever its thing may stand: in a grading, its summary, a benchmark, a sidecar.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Final, TypeVar

_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_BETWEEN: Final = re.compile(r"[-_\s]+")
_LARGEST: Final = 64
"""Objects of more fields are not remembered by their names."""

T = TypeVar("T")
Ideas = Mapping[str, list[str]]
"""Ideas, each with its names in one object."""

REPLY: Final = "reply.md"
"""The file in which evalcore keeps the answer of a run that produced no file."""

PASSED: Final = (
    "passed", "pass_count", "passed_count", "assertions_passed", "expectations_passed",
    "passed_assertions", "checks_passed", "total_passed",
)  # fmt: skip
FAILED: Final = (
    "failed", "fail_count", "failed_count", "assertions_failed", "expectations_failed",
    "failed_assertions", "checks_failed", "total_failed",
)  # fmt: skip
TOTAL: Final = (
    "total", "total_count", "assertions_total", "expectations_total", "total_assertions",
    "total_expectations", "checks_total", "total_checks", "scored_trials", "trials",
)  # fmt: skip
RATE: Final = (
    "pass_rate", "passRate", "rate", "passed_pct", "pass_percentage", "pass_percent",
    "pass_rate_pct",
)  # fmt: skip
VERDICT: Final = ("passed", "pass", "result", "status", "verdict", "met")
"""Of one item."""
OVERALL: Final = (
    "verdict", "overall_verdict", "overall_result", "overall_passed", "overall_pass", "result",
    "passed", "pass", "status",
)  # fmt: skip
"""Of a whole run; `passed` may be a count there."""

WORDING: Final = ("text", "expectation", "assertion", "criterion", "description", "check")
EVIDENCE: Final = (
    "evidence", "reason", "reasoning", "rationale", "explanation", "justification", "notes", "note",
    "failure_reason", "failure_reasons", "fail_reasons", "details", "comment", "actual",
)  # fmt: skip
ITEMS: Final = (
    "expectations", "assertions", "assertion_results", "results", "evaluations",
    "assertion_details",
)  # fmt: skip
"""Lists of judged items."""
STANDARD_ITEMS: Final = ("expectations", "assertion_results")
"""The names that skill-creator and the open standard (agentskills.io) give that list."""

PROMPT: Final = (
    "prompt", "input", "query", "task", "question", "user_prompt", "instruction",
    "prompt_with_skill", "prompt_without_skill",
)  # fmt: skip
"""What a case asks."""
SHOULD_TRIGGER: Final = (
    "should_trigger", "should_activate", "shouldTrigger", "should_fire", "should_invoke",
    "expected_trigger", "expect_trigger", "expected_activation",
)  # fmt: skip
"""Of a query: whether a skill should answer it."""
CASES: Final = ("evals", "cases", "test_cases", "scenarios", "workflow_evals")
"""Lists of cases."""
CHECK_TYPE: Final = ("type", "kind", "check")
"""Of a check that is written as an object."""
WEIGHT: Final = ("weight", "max_score")

EVAL_ID: Final = ("eval_id", "id", "case_id", "case", "eval")
EVAL_NAME: Final = ("eval_name", "name", "title", "case_name")
EVAL: Final = ("eval_id", "eval_name", "eval", "case_id", "case", "test_case", "entry_point")
"""By which an item or a run names its eval, where `id` and `name` are its own."""
CONFIGURATION: Final = (
    "config", "configuration", "condition", "variant", "arm", "run_type", "mode",
)  # fmt: skip
SKILL: Final = ("skill_name", "skill")

SECONDS: Final[Mapping[str, float]] = {
    "total_duration_seconds": 1.0,
    "duration_seconds": 1.0,
    "time_seconds": 1.0,
    "seconds": 1.0,
    "elapsed_seconds": 1.0,
    "elapsed_s": 1.0,
    "duration_s": 1.0,
    "executor_duration_seconds": 1.0,
    "duration_ms": 1000.0,
    "total_duration_ms": 1000.0,
    "elapsed_ms": 1000.0,
    "time_ms": 1000.0,
    "generation_time_ms": 1000.0,
}
"""Each with what its number is divided by to be seconds."""
TOKENS: Final = ("total_tokens", "tokens_used", "token_count", "tokens")
COST: Final = ("cost_usd", "total_cost_usd", "cost")
MEASURE: Final = frozenset(
    ("tokens", "token", "seconds", "secs", "sec", "minutes", "ms", "time", "duration", "elapsed",
     "latency", "cost", "usd", "price", "turns", "steps", "calls", "chars", "words", "bytes",
     "lines")
)  # fmt: skip
"""Words that begin or end the name of what a run took, in whatever unit."""


def snake(name: str) -> str:
    """Return a name as the lists here write it: `totalAssertions` as `total_assertions`."""
    return name if name.islower() else _HUMP.sub("_", name).lower()


def name_words(name: str) -> list[str]:
    """Return the words of a name, however it joins them: `regex-match`, `regexMatch`."""
    return _BETWEEN.split(snake(name))


def is_measure(name: str) -> bool:
    """Say whether a name is that of a measure: what a run took, never how it did."""
    words = name_words(name)
    return words[0] in MEASURE or words[-1] in MEASURE


def is_percent(name: str) -> bool:
    """Say whether the name of a rate says that 53 is meant, not 0.53."""
    return "pct" in name or "perc" in name


def first(held: Any, names: tuple[str, ...]) -> Any:
    """Return the first value that an object has under one of these names, null aside."""
    for name in names if isinstance(held, dict) else ():
        value = held.get(name)
        if value is not None:
            return value
    return None


def spelled(name: str) -> str:
    """Return what a name has in common with its spellings in another case or Unicode form."""
    return name.casefold() if name.isascii() else unicodedata.normalize("NFC", name.casefold())


def slashed(path: str) -> str:
    """Return a path as it is stored, with / between its parts also where Windows wrote it."""
    return path.replace("\\", "/")


def by_names(tell: Callable[[tuple[str, ...]], T]) -> Callable[[Mapping[str, Any]], T]:
    """Return a function of objects that tells something of their names, once for objects alike."""
    remembered = lru_cache(maxsize=1024)(tell)

    def told(fields: Mapping[str, Any]) -> T:
        called = tuple(fields)
        return remembered(called) if len(called) <= _LARGEST else tell(called)

    return told


def by_ideas(ideas: Mapping[str, Iterable[str]]) -> Callable[[Mapping[str, Any]], Ideas]:
    """Return a function that tells which of the names of each idea an object has, in order."""
    return by_names(
        lambda fields: {idea: [n for n in known if n in fields] for idea, known in ideas.items()}
    )
