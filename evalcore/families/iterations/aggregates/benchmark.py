"""`benchmark.json` of an iteration: its runs, summed up for each configuration."""

from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from evalcore.disk.parsing import MISSING
from evalcore.families.iterations.aggregates.runs import Entry, Run, number_of
from evalcore.families.iterations.benchmark import is_placeholder
from evalcore.families.iterations.stored import NEW, OLD, difference
from evalcore.numbers import consistency
from evalcore.proposals.patching import Json
from evalcore.proposals.proposal import Proposal, Stored, Target, merged
from evalcore.proposals.stats import Number, shortened, statistics

NAME: Final = "benchmark.json"
DELTAS: Final = (
    ("pass_rate", "+.2f", 0.0051), ("time_seconds", "+.1f", 0.051), ("tokens", "+.0f", 0.51),
)  # fmt: skip
"""Each metric with a difference, how that is written, and how far off a stored one may be."""

Key = tuple[str, ...]
"""Eval, configuration and number of a listed run."""


class About(NamedTuple):
    """What is known of the skill of a suite, None where it is not."""

    name: str | None
    path: str | None
    rubric: bool


def benchmark(
    target: Target,
    stored: Stored | None,
    graded: Sequence[tuple[Run, Entry]],
    only_listed: Sequence[Run],
    about: About,
    *,
    replace: bool,
) -> Proposal:
    """Return what shall become of the benchmark of one version.

    `graded` are its graded runs, `only_listed` those that nothing but a benchmark has.
    """
    evals: dict[str, set[str]] = defaultdict(set)
    for run, entry in graded:
        evals[str(entry["eval_id"])].add(run.case_id)
    for run, entry in graded:  # evals of one id are told apart by their cases
        if len(evals[str(entry["eval_id"])]) > 1:
            entry["eval_id"] = number_of(run.case_id)
    by_key = {_key(entry): entry for _, entry in graded}
    if len(by_key) < len(graded):
        return target.left("Two of its runs have the same eval, configuration and number.")
    if any(run.source != target.path for run in only_listed):
        return target.left("Runs of this version are in another benchmark too.")
    old = stored.value if stored is not None else {}
    fits = _fits(old, by_key.keys(), only_listed)
    if stored is not None and not fits and not replace:
        why = "cannot be read" if old is MISSING else "has a format of its own"
        what = "It {}, so it was left unchanged; --replace overwrites it with a standard one."
        return target.left(what.format(why))
    if not fits:
        only_listed, notes = (), old.get("notes") if isinstance(old, dict) else None
        old = {"notes": _texts(notes)}
    runs = [run for run, _ in graded] + list(only_listed)
    value = _document(old, runs, by_key, about)
    messages: list[str] = []
    if only_listed:
        many = len(only_listed) != 1
        messages.append(
            f"{len(only_listed)} run{'s' * many} that only the benchmark lists "
            f"{'were' if many else 'was'} kept and counted."
        )
    unrated = sum(run.counted is None for run in runs)
    if unrated:
        messages.append(f"{unrated} of {len(runs)} runs have no pass rate and were left out of it.")
    if "delta" not in value["run_summary"]:
        messages.append("No difference was written: there is no skill beside a baseline.")
    if stored is None:
        return target.fresh(value, *messages)
    if not fits:
        return target.replaced(stored, value, *messages)
    return target.changed(stored, value, *messages)


def _key(entry: Entry) -> Key:
    """Return which run an entry is about."""
    return tuple(str(entry.get(name)) for name in ("eval_id", "configuration", "run_number"))


def _fits(old: Json, graded: Collection[Key], only_listed: Sequence[Run]) -> bool:
    """Say whether a document is of the standard shape, each entry of a run that is known."""
    if not isinstance(old, dict) or (old and not ("runs" in old and "run_summary" in old)):
        return False
    runs, summed = old.get("runs", []), old.get("run_summary", {})
    if not isinstance(runs, list) or not isinstance(summed, dict):
        return False
    if not all(isinstance(e, dict) and isinstance(e.get("result"), dict) for e in runs):
        return False
    places = {run.pointer for run in only_listed}
    rest = [_key(e) for at, e in enumerate(runs) if f"/runs/{at}" not in places]
    return len(set(rest)) == len(rest) and set(rest) <= set(graded)


def _document(
    old: dict[str, Any], runs: list[Run], graded: dict[Key, Entry], about: About
) -> dict[str, Any]:
    """Return a benchmark with these runs in place of an older one.

    Entries that were there are made right, those that were not follow. Of what it says of itself,
    only gaps and counts are filled in anew.
    """
    sides: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        sides[run.configuration].append(run)
    # The skill's, other ones by name, then baselines.
    own = [name for name in NEW if name in sides]
    baselines = [name for name in OLD if name in sides]
    order = [*own, *sorted(sides.keys() - {*own, *baselines}), *baselines]
    rest, entries = dict(graded), []
    for entry in old.get("runs", []):
        right = rest.pop(_key(entry), None)
        if right is None:
            entries.append(entry)
            continue
        # What was not measured stays as it was written.
        measured = right["result"].items()
        change: Entry = {
            "result": {n: v for n, v in measured if v is not None or n not in entry["result"]}
        }
        if right["notes"]:
            change["notes"] = list(dict.fromkeys([*_texts(entry.get("notes")), *right["notes"]]))
        # With the same verdicts the items stay in the words that they have here.
        if _verdicts(entry.get("expectations")) != _verdicts(right["expectations"]):
            change["expectations"] = right["expectations"]
        entries.append(merged(entry, change))
    entries += sorted(rest.values(), key=lambda entry: order.index(entry["configuration"]))
    known = old.get("metadata")
    known = known if isinstance(known, dict) else {}
    gaps = {name for name, held in known.items() if isinstance(held, str) and is_placeholder(held)}
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    fields = {"skill_name": about.name, "skill_path": about.path, "timestamp": now}
    found = {
        name: value
        for name, value in fields.items()
        if value is not None and (not known or name in gaps)
    }
    ids = list({str(entry.get("eval_id")): entry.get("eval_id") for entry in entries}.values())
    asked = known.get("evals_run")
    if not (isinstance(asked, list) and len(asked) == len(ids)):
        known = {**known, "evals_run": sorted(ids, key=lambda each: (isinstance(each, str), each))}
    often = Counter((run.case_id, run.configuration) for run in runs)
    return {
        **old,
        "metadata": {**known, **found, "runs_per_configuration": max(often.values())},
        "runs": entries,
        "run_summary": _summary(
            old.get("run_summary", {}), {name: sides[name] for name in order}, rubric=about.rubric
        ),
        "notes": old.get("notes", []),
    }


def _verdicts(items: Json) -> Json:
    """Return the verdicts of a list of expectations; None of anything else."""
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        return None
    return [item.get("passed") for item in items]


def _texts(value: Json) -> list[str]:
    """Return the texts of a list of notes."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _summary(
    stored: dict[str, Any], sides: dict[str, list[Run]], *, rubric: bool
) -> dict[str, Any]:
    """Return the statistics of each configuration, and the skill's minus its baseline's as text."""
    new: dict[str, Any] = {}
    for name, own in sides.items():
        exact = [run._replace(counted=run.rate) for run in own]
        statistic, other = (_statistics(each, rubric=rubric) for each in (own, exact))
        new[name] = merged(stored.get(name), statistic, other)
    nothing: dict[str, Any] = {}
    skill, base = (next((new[n] for n in names if n in new), nothing) for names in (NEW, OLD))
    old, differs = stored.get("delta"), dict[str, Any]()
    for metric, form, near in DELTAS:
        one, two = skill.get(metric), base.get(metric)
        if one is None or two is None:
            continue
        value = one["mean"] - two["mean"]
        # A text that says the same in another form stays as it is.
        said = old.get(metric) if isinstance(old, dict) else None
        stated = difference(metric, said)
        same = stated is not None and abs(stated.value - value) <= near
        differs[metric] = said if same else format(value, form)
    if differs:
        new["delta"] = merged(old, differs)
    elif "delta" in stored and len({**stored, **new}) <= 2:  # one configuration, and the delta
        new["delta"] = None
    return {**stored, **new}


def _statistics(runs: list[Run], *, rubric: bool) -> dict[str, Any]:
    """Return the statistics of one configuration.

    The rubric adds its metrics, how even the runs were, and each of its dimensions.
    """
    values: dict[str, list[Number | None]] = {"pass_rate": [run.counted for run in runs]}
    if rubric:
        values["rubric_normalized"] = [run.normalized for run in runs]
        values["overall_efficiency"] = [run.efficiency for run in runs]
    values["time_seconds"] = [run.seconds for run in runs]
    values["tokens"] = [run.tokens for run in runs]
    found: dict[str, Any] = {}
    for name, every in values.items():
        measured = [value for value in every if value is not None]
        if measured:
            found[name] = statistics(measured, len(runs))
    if not rubric:
        return found
    if "overall_efficiency" in found:
        steady = consistency(run.efficiency for run in runs)
        found["consistency"] = None if steady is None else shortened(steady)
    dimensions: dict[str, list[Number]] = defaultdict(list)
    for run in runs:
        for name, score in run.dimensions.items():
            dimensions[name].append(score)
    if dimensions:
        found["rubric_dimensions"] = {
            name: statistics(scores, len(runs)) for name, scores in dimensions.items()
        }
    return found
