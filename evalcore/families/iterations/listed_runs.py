"""What a benchmark lists: runs that only it has, and what it says of each eval beside them."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from evalcore.disk.values import Node
from evalcore.families.iterations.agreement import (
    NEAR,
    PASS_RATE,
    agrees,
    is_explained,
    note_mismatch,
)
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.benchmark import Benchmarks, note_percent
from evalcore.families.iterations.case import Case, text_under
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.figures import (
    FIGURES,
    INNER,
    Figures,
    Leaf,
    figures_of,
    leaf,
)
from evalcore.families.iterations.items import other_lists, side_named
from evalcore.families.iterations.judged_lists import add_dimension, add_items, add_unknown
from evalcore.families.iterations.listed import SIDES, Listed, holds_checks, skills_in
from evalcore.families.iterations.runs import (
    NO_CHECKS,
    RUBRIC_MAX,
    Facts,
    Measured,
    Run,
    SuiteContext,
)
from evalcore.families.iterations.split_runs import VAGUE
from evalcore.families.iterations.stated import AS_OBJECT, Stated, notes_of
from evalcore.families.iterations.stored import METRICS
from evalcore.ids import run_id
from evalcore.layouts.iterations import BASELINES, NONE, RunLocation
from evalcore.names import CONFIGURATION, EVAL_ID, EVAL_NAME, ITEMS, PROMPT, SKILL, by_names, snake
from evalcore.numbers import disagrees, mean

NOTES: Final = ("notes", "note")
KNOWN: Final = frozenset(
    (*FIGURES, *EVAL_ID, *EVAL_NAME, *ITEMS, *SIDES, "notes", "note", "quality",
     "run_number", "run", "run_id", "runs",
     "run_index", *SKILL, *CONFIGURATION, "prompt", "category", "kind", "timestamp", "tool_calls",
     "errors", "model")
).difference(VAGUE)  # fmt: skip
"""Names of an entry that are read elsewhere."""
_unknown: Final = by_names(
    lambda fields: [name for name in fields if name not in KNOWN and snake(name) not in KNOWN]
)
LABEL: Final = re.compile(r"(?P<side>[^()\[\]]*[^()\[\]\s])\s*[(\[](?P<note>[^()\[\]]+)[)\]]\s*")
"""A configuration, and what stands in brackets behind it, as in `with_skill (iter4)`."""
NUMBER: Final = re.compile(r"\d+")


def add_listed_runs(
    benchmarks: Benchmarks, context: SuiteContext, cases: Cases, facts: list[Facts]
) -> list[Facts]:
    """Add the runs that a benchmark lists and no grading holds."""
    cases.skill_name = cases.skill_name or benchmarks.skill_name
    runs = _ListedRuns(benchmarks, context, cases, facts)
    for version, document in benchmarks.documents:
        runs.read(version, document)
    context.flush()
    return list(runs.added.values())


class _ListedRuns:
    """Takes down the runs of one suite's benchmarks."""

    def __init__(
        self, benchmarks: Benchmarks, context: SuiteContext, cases: Cases, facts: list[Facts]
    ) -> None:
        self.benchmarks = benchmarks
        self.context = context
        self.cases = cases
        self.added: dict[str, Facts] = {}
        self._graded: dict[tuple[str, str], dict[str, list[Facts]]] = defaultdict(dict)
        """Version and case to configuration to its graded runs."""
        for fact in facts:
            sides = self._graded[fact.version, fact.case_id]
            sides.setdefault(fact.configuration, []).append(fact)
        self._versions = dict.fromkeys((*(f.version for f in facts), *benchmarks.by_version))
        self._sides: dict[tuple[str, str, str], list[Facts]] = defaultdict(list)
        """Version, case and configuration to the runs added."""
        self._list_of: dict[tuple[str, str, str], tuple[str, str]] = {}
        """The same to the file and the list that has its runs."""
        self._labels: Counter[tuple[str, str, str]] = Counter()
        """File, case and label to how often it was met."""
        self._noted: set[tuple[str, ...]] = set()
        """The files, and the labels in them, that were noted."""

    def read(self, version: str, document: Node) -> None:
        """Add the runs of one benchmark document, and what it says of each eval."""
        found = self.benchmarks.listed(document)
        named = {each.configuration for each in found}
        # Where a document speaks of several skills, the names of its cases begin with theirs.
        skill_of = [str(each.eval_id).partition(": ")[0] for each in found]
        skills = skills_in(document).intersection(skill_of)
        model = self.benchmarks.model(version)
        counts: Counter[tuple[str, str]] = Counter()
        percent = False
        stated = Stated(self.context.rows, self.context.suite, version)
        one_by_one: dict[tuple[str, str], tuple[Case, Node, list[Facts], list[Figures]]] = {}
        described: set[str] = set()
        for each, skill in zip(found, skill_of, strict=True):
            at, case = self._place(version, each)
            if len(skills) > 1 and skill in skills.difference(case.tags):
                case.tags.append(skill)
            figures, side = figures_of(each.item), each.configuration
            percent = percent or figures.percent
            ours = self._ours(version, case, each, figures, named)
            key = None if ours else self._run(at, case, each, figures, model, counts)
            rate = None if figures.by_verdict else figures.rate
            if each.group:
                of = None if side == NONE else side
                numbers = rate, figures.seconds, figures.tokens
                for metric, value in zip(METRICS, numbers, strict=True):
                    if value is not None:
                        stated.number(each.item, of, metric, value, case_id=case.case_id)
                _compare(case, each.item, rate, ours)
            elif ours and rate is not None:
                alike = one_by_one.setdefault((case.case_id, side), (case, each.item, ours, []))
                alike[3].append(figures)
            run = ours[0].run_id if len(ours) == 1 else key
            _add_further(stated, case, each, run, described)
        if percent:
            note_percent(document)
        if len(skills) > 1:
            what = f"This document is about {len(skills)} skills; they are read as one suite, in "
            what += "which the name and a tag of each case say its skill."
            hint = "To have a suite of each skill, write a file for each."
            document.note("info", "several-skills", what, hint)
        for case, item, ours, told in one_by_one.values():
            if len(told) == len(ours) == 1 and miscounts(told[0], ours[0]):
                counted = f"its gradings give {ours[0].passed} of {ours[0].total}"
                said = f"{told[0].passed} of {told[0].total}"
                note_mismatch(item, f"The pass rate of {case.case_id!r}", said, counted)
            elif len(told) == len(ours):
                _compare(case, item, mean(each.rate for each in told), ours)

    def _place(self, version: str, found: Listed) -> tuple[RunLocation, Case]:
        """Return where a listed run would lie if it had a folder, and its case."""
        entry, eval_id, name = found.entry, found.eval_id, found.name
        if isinstance(eval_id, str) and not eval_id.isdecimal():
            words = eval_id
        else:
            words = name or (f"eval-{eval_id}" if eval_id is not None else "eval")
        folder, words = entry.path.rpartition("/")[0], words.replace("/", "-")
        own = f"{folder}/{words}" if folder else words
        root = self.benchmarks.plan.root
        at = RunLocation(root, version, own, found.configuration, own, "1", own)
        case = self.cases.numbered(version, eval_id)
        if case is None:
            case = self.cases.at(at, {"eval_id": eval_id})
            if name and not case.defined and case.name in (None, case.case_id):
                case.name = name
        if case.prompt is None:
            case.prompt = text_under(found.item.value, PROMPT) or text_under(entry.value, PROMPT)
            if case.prompt is not None and case.source is None:
                case.source, case.pointer = entry.path, entry.at
        return at, case

    def _ours(
        self, version: str, case: Case, found: Listed, figures: Figures, named: set[str]
    ) -> list[Facts]:
        """Return the graded runs that an entry sums up or repeats.

        They are those of its configuration; unnamed sides stand for all of them. A label like
        `with_skill (iter4)` means one run, by number and result, and a baseline that goes by
        another name in the folders is known by its rate.
        """
        graded = self._graded.get((version, case.case_id), {})
        item, side = found.item, found.configuration
        if side in graded:
            return graded[side]
        if side == NONE and graded:
            return [fact for facts in graded.values() for fact in facts]
        if NONE in graded:
            return graded[NONE]
        label = LABEL.fullmatch(side)
        if label is not None:
            meant = version_meant(label["note"].strip(), self._versions) or version
            own = label["side"]
            runs = self._graded.get((meant, case.case_id), {}).get(own, [])
            runs = runs or self._sides[meant, case.case_id, own]
            self._labels[item.path, case.case_id, side] += 1
            count = self._labels[item.path, case.case_id, side]
            number = int(finite(item.value.get("run_number")) or count)
            key = run_id(self.context.suite, case.case_id, meant, own, number)
            same = [fact for fact in runs if fact.run_id == key and agrees(figures, fact)]
            if same:
                return same
            if runs and (item.path, side) not in self._noted:
                self._noted.add((item.path, side))
                what = f"No run of {own!r} has the number and the result of this one, which "
                what += f"is called {side!r}; it counts as a run of its own."
                hint = f"Write {own!r} and the number of the run, or a name without brackets."
                item.note("warning", "label-not-joined", what, hint)
        rest = [name for name in graded if name in BASELINES and name not in named]
        if side not in BASELINES or len(rest) != 1 or figures.rate is None:
            return []
        computed = mean(fact.pass_rate for fact in graded[rest[0]])
        if computed is None or disagrees(figures.rate, computed):
            return []
        if (item.path,) not in self._noted:
            self._noted.add((item.path,))
            what = f"{side!r} is called {rest[0]!r} in the folders of its runs."
            hint = f"Write {rest[0]!r}, as the folders do."
            item.note("warning", "configuration-differs", what, hint)
        return graded[rest[0]]

    def _run(
        self,
        at: RunLocation,
        case: Case,
        found: Listed,
        figures: Figures,
        model: str | None,
        counts: Counter[tuple[str, str]],
    ) -> str | None:
        """Add one run unless nothing came of it, or another list of the file has it already.

        Its items are read like a grading's, else its verdict, also one that is not known.
        """
        context, item, side = self.context, found.item, found.configuration
        if found.group and not figures.result and not holds_checks(item):
            return None
        here = (item.path, found.group)
        if self._list_of.setdefault((at.version, case.case_id, side), here) != here:
            return None
        counts[case.case_id, side] += 1
        count = counts[case.case_id, side]
        stated = finite(item.value.get("run_number"))
        number = str(count if stated is None else int(stated))
        own = item.value.get("model")
        model = own if isinstance(own, str) else model
        run = Run(context, at._replace(run=number), case, model=model)
        while run.id in self.added:
            number = f"{number}.{count}"
            run = Run(context, at._replace(run=number), case, model=model)
        for name, _ in other_lists(item.value):
            if side_named(name) is not None:
                what = f"The items in {name!r} were not read."
                item.note("warning", "second-list", what, "List them as a separate run.", name)
        checks, scores = NO_CHECKS, 0
        if figures.by_verdict or holds_checks(item):
            checks = add_items(run, item)
        elif figures.unread is not None and figures.rate is None:
            checks = add_unknown(run, item)
        elif isinstance(figures.unread, str):
            what = f"The verdict {figures.unread!r} is read as the score next to it, "
            what, hint = f"{what}{figures.rate:g}.", "Write it as a pass_rate."
            context.tolerate(item.path, item.at, "verdict-word", what, hint)
        held = item.value.get("quality")
        for name, node in item.fields("quality") if isinstance(held, dict) else ():
            given = finite(node.value)
            if given is not None and 1 <= given <= RUBRIC_MAX:
                add_dimension(run, name, given, node)
                scores += 1
        context.count(item.path, scores)
        passed, total, rate = figures.passed, figures.total, figures.rate
        if checks.scored:
            passed, total, rate = checks.passed, checks.scored, checks.rate
        score: float | None = None
        top: float | None = None
        if rate is not None:  # a count of nothing is no score
            score, top = (rate, 1.0) if passed is None else (passed, total)
        run.add_row(
            "benchmark",
            "error" if figures.broken and not checks.all else "completed",
            Measured(figures.seconds, figures.tokens, figures.cost, None),
            item.path,
            item.at,
            scored=(score, top, rate),
            checks=(passed, total),
        )
        run.add_score(score, top, checks.scored + scores, checks.all + scores)
        self.added[run.id] = fact = Facts(
            at.version,
            side,
            case.case_id,
            run.id,
            rate,
            seconds=figures.seconds,
            tokens=figures.tokens,
            passed=passed,
            total=total,
            unscored=checks.unscored,
        )
        self._sides[at.version, case.case_id, side].append(fact)
        for name in NOTES:
            noted = item.value.get(name) not in (None, [])
            for text, place, plain in notes_of(item, name) if noted else ():
                context.remarks.note(item.path, place, run.about, "benchmark", text)
                if not plain:
                    context.tolerate(item.path, place, *AS_OBJECT)
        if checks.scored and miscounts(figures, fact):
            what = f"The result of run {number} of {case.case_id!r} in {side}"
            said, counted = f"{figures.passed} of {figures.total}", f"{passed} of {total}"
            note_mismatch(item, what, said, f"its items give {counted}")
        return run.id


def version_meant(note: str, versions: Iterable[str]) -> str | None:
    """Return the version that a note names by its whole name, its number, or its last word."""
    numbers, word = NUMBER.findall(note), note.casefold()
    for version in versions:
        name = version.casefold()
        if word == name or name.endswith((f"-{word}", f"_{word}")):
            return version
        if len(numbers) == 1 and NUMBER.findall(version) == numbers:
            return version
    return None


def _add_further(
    stated: Stated, case: Case, found: Listed, about: str | None, described: set[str]
) -> None:
    """Add what an entry says under further names: numbers as aggregates, texts as notes.

    `about` is the one run that it is of. What is said of several sides together is added with the
    first of them: `described` are the pointers of the entries where that was done.
    """
    item, entry = found.item, found.entry
    side = None if found.configuration == NONE else found.configuration
    is_whole, said = item.value is entry.value, list[tuple[str | None, str | None, Leaf]]()
    # The numbers of flat sides are gathered, but stand in the entry: they say nothing further.
    if is_whole or item.at != entry.at:
        inner = [item.child(name) for name in INNER if isinstance(item.value.get(name), dict)]
        for place in (*inner, item):
            said += ((side, about, each) for each in _further(place, found, INNER))
    for name, node in found.beside.items():
        if name not in KNOWN:
            said += ((side, about, each) for each in leaf(name, node))
    if not is_whole and entry.at not in described:
        described.add(entry.at)
        said += ((None, None, each) for each in _further(entry, found, ()))
        for name in (*SIDES, "results"):
            delta = entry.child(name).child("delta")
            said += ((None, None, each) for each in leaf("delta", delta))
    for configuration, run, (name, node, number, text) in said:
        head, _, rest = name.partition(".")
        if number is None:
            target = name if run else f"{case.name or case.case_id}: {name}"
            stated.note(text, node.path, node.at, target, run)
        elif head == "delta":
            metric = rest.removesuffix("_improvement") or "pass_rate"
            stated.number(node, "delta", metric, number, case_id=case.case_id)
        else:
            stated.number(node, configuration, name, number, case_id=case.case_id)


def _further(place: Node, found: Listed, inner: tuple[str, ...]) -> Iterator[Leaf]:
    """Yield what an object says under further names than those that are read elsewhere.

    Its configurations, the fields named after one, and the objects `inner` are read elsewhere.
    """
    further = _unknown(place.value) if isinstance(place.value, dict) else ()
    inside = f"{place.at}/" if further else ""
    taken = [f"{used}/" for used in found.used if used.startswith(inside)] if further else []
    for name in further:
        if name in found.beside or (name in inner and isinstance(place.value[name], dict)):
            continue
        for each in leaf(name, place.child(name)):
            at = f"{each.node.at}/"
            if not any(at.startswith(used) for used in taken):
                yield each


def _compare(case: Case, item: Node, stated: float | None, ours: list[Facts]) -> None:
    """Note a pass rate that the graded runs of one configuration contradict."""
    if stated is None or not ours or len({fact.configuration for fact in ours}) > 1:
        return
    rates = [fact.pass_rate for fact in ours]
    computed = mean(rates)
    # A rubric's benchmark may list the structural checks, which its summary is made of.
    if computed is not None and not any(
        is_explained(stated, PASS_RATE, ours, values)
        for values in (rates, [fact.structural_rate for fact in ours])
    ):
        found = f"its gradings give {computed:.4g}"
        note_mismatch(item, f"The pass rate of {case.case_id!r}", f"{stated:.4g}", found)


def miscounts(stated: Figures, run: Facts) -> bool:
    """Say whether counts of passed and of all contradict those of a graded run's items."""
    rules = run.structural_rate
    if rules is not None and stated.rate is not None and abs(stated.rate - rules) <= NEAR:
        return False
    pairs = ((stated.passed, run.passed), (stated.total, run.total))
    return all(None not in pair for pair in pairs) and not all(
        (one or 0) <= (told or 0) <= (one or 0) + run.unscored for told, one in pairs
    )
