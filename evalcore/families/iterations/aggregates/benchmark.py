"""`benchmark.json` of an iteration: its runs, summed up for each configuration."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.parsing import MISSING
from evalcore.families.iterations.aggregates.entries import Entry, number_of
from evalcore.families.iterations.aggregates.runs import Run
from evalcore.families.iterations.aggregates.summary import Counted, delta, sides, summary
from evalcore.families.iterations.benchmark import is_placeholder
from evalcore.proposals.patching import Json
from evalcore.proposals.proposal import Proposal, Stored, Target, merged

OTHER_SHAPE: Final = (
    "It has a format of its own, so it was left unchanged; --replace overwrites it with a "
    "standard one."
)
UNREADABLE: Final = (
    "It cannot be read, so it was left unchanged; --replace overwrites it with a standard one."
)

Key = tuple[str, str, str]
"""Eval, configuration and number of a listed run."""


class About(NamedTuple):
    """What is known of the skill of a suite, None where it is not."""

    name: str | None
    path: str | None
    rubric: bool


def benchmark(
    target: Target,
    stored: Stored | None,
    graded: Sequence[tuple[Counted, Entry]],
    only_listed: Sequence[Run],
    about: About,
    *,
    replace: bool,
) -> Proposal:
    """Return what shall become of the benchmark of one version.

    `graded` are its graded runs, `only_listed` those that nothing but a benchmark has.
    """
    by_key = _by_key(graded)
    if len(by_key) < len(graded):
        return target.left("Two of its runs have the same eval, configuration and number.")
    if any(run.source != target.path for run in only_listed):
        return target.left("Runs of this version are in another benchmark too.")
    old = stored.value if stored is not None else {}
    fits = fits_in(old, by_key.keys(), only_listed)
    if stored is not None and not fits and not replace:
        return target.left(UNREADABLE if old is MISSING else OTHER_SHAPE)
    if not fits:
        only_listed, notes = (), old.get("notes") if isinstance(old, dict) else None
        old = {"notes": _texts(notes)}
    counted = [each for each, _ in graded]
    counted += [Counted(run, run.rate) for run in only_listed]
    value = _document(old, counted, by_key, about)
    messages = _messages(counted, only_listed, value["run_summary"])
    if stored is None:
        return target.fresh(value, *messages)
    if not fits:
        return target.replaced(stored, value, *messages)
    return target.changed(stored, value, *messages)


def _by_key(graded: Sequence[tuple[Counted, Entry]]) -> dict[Key, Entry]:
    """Return the entries by what they are about; evals of one id are told apart by their cases."""
    evals: dict[str, set[str]] = defaultdict(set)
    for counted, entry in graded:
        evals[str(entry["eval_id"])].add(counted.run.case_id)
    for counted, entry in graded:
        if len(evals[str(entry["eval_id"])]) > 1:
            entry["eval_id"] = number_of(counted.run.case_id)
    return {key_of(entry): entry for _, entry in graded}


def key_of(entry: Entry) -> Key:
    """Return which run an entry is about."""
    return tuple(str(entry.get(name)) for name in ("eval_id", "configuration", "run_number"))  # type: ignore[return-value]


def fits_in(old: Json, graded: Collection[Key], only_listed: Sequence[Run]) -> bool:
    """Say whether a document is of the standard shape, each entry of a run that is known."""
    if not isinstance(old, dict):
        return False
    runs, summed = old.get("runs", []), old.get("run_summary", {})
    if old and not ("runs" in old and "run_summary" in old):
        return False
    if not isinstance(runs, list) or not isinstance(summed, dict):
        return False
    if not all(isinstance(e, dict) and isinstance(e.get("result"), dict) for e in runs):
        return False
    places = {run.pointer for run in only_listed}
    rest = [key_of(e) for at, e in enumerate(runs) if f"/runs/{at}" not in places]
    return len(set(rest)) == len(rest) and set(rest) <= set(graded)


def _document(
    old: dict[str, Any], counted: list[Counted], graded: dict[Key, Entry], about: About
) -> dict[str, Any]:
    """Return a benchmark with these runs in place of an older one."""
    stored = old.get("run_summary", {})
    summed = summary(counted, rubric=about.rubric)
    exact = summary([Counted(each.run, each.run.rate) for each in counted], rubric=about.rubric)
    new = {name: merged(stored.get(name), own, exact[name]) for name, own in summed.items()}
    differs = delta(new, stored.get("delta"))
    if differs is not None:
        new["delta"] = merged(stored.get("delta"), differs)
    elif "delta" in stored and len({**stored, **new}) <= 2:  # one configuration, and the delta
        new["delta"] = None
    runs = _runs(old.get("runs", []), graded, list(sides(counted)))
    fresh = {
        "metadata": _metadata(old.get("metadata"), runs, counted, about),
        "runs": runs,
        "run_summary": {**stored, **new},
    }
    return {**old, **fresh, "notes": old.get("notes", [])}


def _runs(old: list[Entry], graded: dict[Key, Entry], order: list[str]) -> list[Entry]:
    """Return the entries that were there, made right, and then those that were not."""
    found = []
    rest = dict(graded)
    for entry in old:
        own = rest.pop(key_of(entry), None)
        found.append(entry if own is None else _entry(entry, own))
    new = sorted(rest.values(), key=lambda entry: order.index(entry["configuration"]))
    return found + new


def _entry(old: Entry, new: Entry) -> Entry:
    """Return an entry made right; what was not measured stays as it was written."""
    result = {
        name: value
        for name, value in new["result"].items()
        if value is not None or name not in old["result"]
    }
    own: Entry = {"result": result}
    if new["notes"]:
        own["notes"] = list(dict.fromkeys([*_texts(old.get("notes")), *new["notes"]]))
    # With the same verdicts the items stay in the words that they have here.
    if _verdicts(old.get("expectations")) != _verdicts(new["expectations"]):
        own["expectations"] = new["expectations"]
    found: Entry = merged(old, own)
    return found


def _verdicts(items: Json) -> Json:
    """Return the verdicts of a list of expectations; None of anything else."""
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return None
    return [item.get("passed") for item in items]


def _metadata(old: Json, runs: list[Entry], counted: list[Counted], about: About) -> dict[str, Any]:
    """Return what a benchmark says of itself; only gaps and counts are filled in anew."""
    known = old if isinstance(old, dict) else {}
    fields = {
        "skill_name": about.name,
        "skill_path": about.path,
        "timestamp": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }
    found = {
        name: value
        for name, value in fields.items()
        if value is not None and (not known or _is_gap(known.get(name)))
    }
    ids = list({str(entry.get("eval_id")): entry.get("eval_id") for entry in runs}.values())
    asked = known.get("evals_run")
    if not (isinstance(asked, list) and len(asked) == len(ids)):
        known = {**known, "evals_run": sorted(ids, key=lambda each: (isinstance(each, str), each))}
    often = Counter((each.run.case_id, each.run.configuration) for each in counted)
    return {**known, **found, "runs_per_configuration": max(often.values())}


def _is_gap(value: Json) -> bool:
    return isinstance(value, str) and is_placeholder(value)


def _texts(value: Json) -> list[str]:
    """Return the texts of a list of notes."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _messages(
    counted: list[Counted], only_listed: Sequence[Run], summed: dict[str, Any]
) -> tuple[str, ...]:
    """Return what a reader of the numbers should know."""
    messages: list[str] = []
    if only_listed:
        many = len(only_listed) != 1
        messages.append(
            f"{len(only_listed)} run{'s' * many} that only the benchmark lists "
            f"{'were' if many else 'was'} kept and counted."
        )
    open_ = sum(each.rate is None for each in counted)
    if open_:
        messages.append(
            f"{open_} of {len(counted)} runs have no pass rate and were left out of it."
        )
    if "delta" not in summed:
        messages.append("No difference was written: there is no skill beside a baseline.")
    return tuple(messages)
