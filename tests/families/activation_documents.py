"""Trigger sets and results of them, as skill-creator's scripts write them."""

from collections.abc import Iterable, Mapping
from typing import Any

SHOULD = ("Merge these two PDFs.", "Fill in the form in tax.pdf.", "Rotate page 3 of the scan.")
SHOULD_NOT = ("Write a poem about autumn.", "Convert this CSV to JSON.")
BEFORE = "Works with PDF files."
AFTER = "Merges, fills in and rotates PDF files. Not for other formats."

Counts = Mapping[str, tuple[int, int]]
"""Query to (triggers, runs)."""

NEVER: Counts = dict.fromkeys((*SHOULD, *SHOULD_NOT), (0, 3))
ALWAYS: Counts = {query: (3 if query in SHOULD else 0, 3) for query in (*SHOULD, *SHOULD_NOT)}
EAGER: Counts = dict.fromkeys((*SHOULD, *SHOULD_NOT), (3, 3))


def trigger_set(
    should: Iterable[str] = SHOULD, should_not: Iterable[str] = SHOULD_NOT
) -> list[dict[str, Any]]:
    """Return a set as skill-creator's `--eval-set` takes it."""
    flags = [(query, True) for query in should] + [(query, False) for query in should_not]
    return [{"query": query, "should_trigger": flag} for query, flag in flags]


def result(query: str, triggers: int, runs: int) -> dict[str, Any]:
    """Return the result of one query, passed at a threshold of one half."""
    should = query not in SHOULD_NOT
    rate = triggers / runs
    return {
        "query": query,
        "should_trigger": should,
        "trigger_rate": rate,
        "triggers": triggers,
        "runs": runs,
        "pass": (rate >= 0.5) is should,
    }


def results(counts: Counts, description: str = BEFORE, **fields: Any) -> dict[str, Any]:
    """Return what `run_eval.py` prints."""
    found = [result(query, *count) for query, count in counts.items()]
    return {
        "skill_name": "pdf",
        "description": description,
        "results": found,
        "summary": _totals("", found),
        **fields,
    }


def attempt(number: int, description: str, train: Counts, test: Counts) -> dict[str, Any]:
    """Return one iteration of `run_loop.py`, the train results twice as it writes them."""
    one, two = ([result(query, *count) for query, count in part.items()] for part in (train, test))
    return {
        "iteration": number,
        "description": description,
        **_totals("train_", one),
        "train_results": one,
        **_totals("test_", two),
        "test_results": two,
        **_totals("", one),
        "results": one,
    }


def loop(*history: dict[str, Any]) -> dict[str, Any]:
    """Return what `run_loop.py` writes."""
    last = history[-1]
    return {
        "exit_reason": f"max_iterations ({len(history)})",
        "original_description": history[0]["description"],
        "best_description": last["description"],
        "best_score": f"{last['test_passed']}/{last['test_total']}",
        "best_train_score": f"{last['train_passed']}/{last['train_total']}",
        "best_test_score": f"{last['test_passed']}/{last['test_total']}",
        "final_description": last["description"],
        "iterations_run": len(history),
        "holdout": 0.4,
        "train_size": last["train_total"],
        "test_size": last["test_total"],
        "history": list(history),
    }


def of(counts: Counts, *queries: str) -> Counts:
    """Return the counts of some queries only."""
    return {query: counts[query] for query in queries}


def _totals(prefix: str, found: list[dict[str, Any]]) -> dict[str, int]:
    passed = sum(each["pass"] for each in found)
    counts = {"passed": passed, "failed": len(found) - passed, "total": len(found)}
    return {f"{prefix}{name}": count for name, count in counts.items()}


TRAIN = (*SHOULD[:2], SHOULD_NOT[0])
TEST = (SHOULD[2], SHOULD_NOT[1])
TWO_TRIES = loop(
    attempt(1, BEFORE, of(NEVER, *TRAIN), of(NEVER, *TEST)),
    attempt(2, AFTER, of(ALWAYS, *TRAIN), of(ALWAYS, *TEST)),
)
