"""The subjects of review records: runs with their criteria, prompts and outputs."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import MISSING, Reader
from evalcore.families.base import Family
from evalcore.families.reviews.basis import output_sha256, output_stats, record_sha256
from evalcore.families.reviews.lookup import Criteria, Criterion, Lookup, Prompt, Run, Suite
from evalcore.families.reviews.review import Review
from evalcore.families.scoring import RUBRIC

WATCHED: Final = 5_000
"""So many files of outputs are watched for a change; of further runs, only their folder is."""

JUDGED_KINDS: Final = ("expectation", "assertion", RUBRIC)
"""The kinds of criteria that people judge; structure and conventions are checked by rules."""
KINDS: Final = frozenset({*JUDGED_KINDS, "structural", "convention"})


class Others(NamedTuple):
    """Other contents of a run's suite: documents with runs, and its other versions."""

    sources: frozenset[str]
    versions: frozenset[str]


class Subject(NamedTuple):
    """A run with all its criteria, and its prompt; people judge `to_judge`.

    `graded` are documents of runs, which mention a criterion without defining it.
    """

    run: Run
    criteria: Criteria
    to_judge: Criteria
    prompt: Prompt
    graded: frozenset[str | None]


def run_named(review: Review) -> str | None:
    """Return the run id that a record names."""
    name = review.fields.get("testRunId")
    return name if isinstance(name, str) and name else None


def subjects(known: Lookup, suite: Suite, runs: Iterable[Run]) -> dict[str, Subject]:
    """Return the subjects of some runs of a suite, by run id."""
    every = {run.id: run for run in runs}
    cases = {run.case_id for run in every.values() if run.case_id is not None}
    defined, prompts = known.criteria(suite.id, cases), known.prompts(suite.id, cases)
    judged = known.judged(every)
    versions = known.versions(suite.id)
    sources = known.sources(
        {c.source for case in defined.values() for c in case.values() if c.source is not None}
    )
    found = {}
    for name, run in every.items():
        rules, own = defined.get(run.case_id or "", {}), judged.get(name, {})
        others = Others(sources, versions - {run.version})
        found[name] = Subject(
            run,
            {**own, **rules},
            criteria_to_judge(rules, own, run, others),
            prompts.get(run.case_id or "", Prompt()),
            sources | {run.source},
        )
    return found


def criteria_to_judge(defined: Criteria, judged: Criteria, run: Run, others: Others) -> Criteria:
    """Return the criteria to judge: those of the case, and those the run was judged by.

    Criteria that only another run's grading or another version mentions are left out, and so are
    those that the run's own grading rewords.
    """
    judged = {key: own for key, own in judged.items() if own.kind in JUDGED_KINDS}

    def only_elsewhere(rule: Criterion) -> bool:
        """Say whether only another run's grading or another version's folder names a criterion."""
        source = rule.source or ""
        if run.origin != "record" and source != run.source and source in others.sources:
            return True
        return not others.versions.isdisjoint(source.split("/")[:-1])

    rules = {
        key: rule
        for key, rule in defined.items()
        if rule.kind in JUDGED_KINDS and (key in judged or not only_elsewhere(rule))
    }
    loose = [rule for key, rule in rules.items() if key not in judged]
    named = [
        key for key, own in judged.items() if key not in rules or rules[key].source == own.source
    ]

    def reworded(rule: Criterion) -> bool:
        if rule.kind == RUBRIC:
            return False
        own = sum(kind == rule.kind for kind, _ in named)
        return 0 < sum(other.kind == rule.kind for other in loose) <= own

    kept = {key: rule for key, rule in rules.items() if key in judged or not reworded(rule)}
    return {**kept, **{key: own for key, own in judged.items() if key not in kept}}


def split_key(key: str, family: Family) -> tuple[str | None, str]:
    """Return kind and name of `kind:criterion`; a store's own criterion needs no kind."""
    kind, colon, name = key.partition(":")
    if colon and kind in KINDS:
        return kind, name
    return (RUBRIC if family.is_store else None), key


class Outputs:
    """The current sha256 of runs' outputs, whose files are recorded as watched."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._values: dict[str, Any] = {}
        self._found: dict[str, str | None] = {}
        self._watched = 0

    def has(self, path: str) -> bool:
        """Return whether the workspace has a file."""
        return path in self.reader.listed

    def sha256(self, run: Run) -> str | None:
        """Return the sha256 of a run's outputs; None if it has none."""
        if run.id not in self._found:
            self._found[run.id] = self._sha256(run)
        return self._found[run.id]

    def _sha256(self, run: Run) -> str | None:
        if run.origin == "record" and run.outputs in (None, run.source):
            if run.source is None:
                return None
            fields = record_at(self.value(run.source), run.pointer or "").get("fields")
            return record_sha256(fields) if isinstance(fields, dict) else None
        if run.outputs is None:
            return None
        stats = output_stats(self.reader.listing.root, run.outputs)
        files = [path for path in stats if path not in self.reader.listed]
        self._watched += len(files)
        self.reader.extras.add(run.outputs)
        if self._watched <= WATCHED:
            self.reader.extras.update(files)
        return output_sha256(self.reader.listing.root, run.outputs, stats)

    def value(self, path: str) -> Any:
        """Return the JSON value of a document, or of its lines, cached."""
        if path not in self._values:
            lines = path.endswith(".jsonl")
            self._values[path] = dict(self.reader.jsonl(path)) if lines else self.reader.peek(path)
        return self._values[path]


def record_at(value: Any, pointer: str) -> Mapping[str, Any]:
    """Return the record at a pointer of a file's value; an empty one if there is none."""
    place = pointer.partition("/fields")[0][1:]
    if value is not MISSING and place.isdecimal() and isinstance(value, (list, dict)):
        at = int(place)
        found = value.get(at) if isinstance(value, dict) else value[at : at + 1]
        value = found[0] if isinstance(found, list) and found else found
    return value if isinstance(value, dict) else {}
