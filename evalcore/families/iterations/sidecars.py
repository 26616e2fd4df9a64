"""The documents beside the runs: reviewers' feedback, suggestions, comparisons, analyses."""

from collections import defaultdict
from functools import cached_property
from typing import Any, Final

from evalcore.disk.reader import MISSING, Reader
from evalcore.disk.values import Node
from evalcore.families.base import Plan
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.figures import Leaf, leaf, moment
from evalcore.families.iterations.runs import Facts
from evalcore.families.iterations.stated import Stated
from evalcore.layouts.iterations import CURRENT, NONE, gathered, version_of
from evalcore.names import first, slashed
from evalcore.tables.builder import Rows
from evalcore.tables.rows import (
    AnalysisRow,
    ComparisonRow,
    ComparisonScoreRow,
    FeedbackRow,
)

TARGETS: Final = ("run_id", "run", "eval_id", "eval", "eval_name", "case_id", "id", "name")
TEXTS: Final = ("feedback", "comment", "comments", "text", "review")
AUTHORS: Final = ("author", "reviewer", "user")
TIMES: Final = ("timestamp", "created_at", "reviewed_at")
NOTES: Final = ("notes", "note", "summary")
DONE: Final = ("complete", "completed", "done", "submitted")
BESIDE: Final = frozenset(("status", "reviews", *TIMES, *NOTES, *AUTHORS))

TOP: Final = 10.0
PART_TOP: Final = 5.0
WINNERS: Final = {"a": "A", "b": "B", "tie": "tie", "draw": "tie", "empate": "tie", "equal": "tie"}
LEVELS: Final = {
    "alta": "high", "alto": "high", "média": "medium", "media": "medium", "médio": "medium",
    "baixa": "low", "baixo": "low", "high": "high", "medium": "medium", "low": "low",
}  # fmt: skip
MET: Final = "expectations met"
REASONS_WON: Final = ("rationale", "reasoning", "winner_rationale_pos_map")
OF_CASE: Final = frozenset(
    ("id", "case_id", "eval_id", "name", "winner", "verdict", "confidence", "verdict_confidence",
     "a_expectations_met", "b_expectations_met", "winner_by_skill", "output_A_eval",
     "output_B_eval", *REASONS_WON)
)  # fmt: skip
OF_CASES: Final = frozenset(("cases", "skill", "iteration", "judged_blind", "judged_at"))

FINDINGS: Final = {
    "winner_strengths": "strength", "strengths": "strength",
    "loser_weaknesses": "weakness", "weaknesses": "weakness",
}  # fmt: skip
SUGGESTIONS: Final = ("improvement_suggestions", "suggestions")
OTHERS: Final = ("findings", "change_causes")
AREAS: Final = ("area", "category", "kind", "class", "case", "case_id")
REASONS: Final = (
    "reasoning", "expected_impact", "description", "evidence", "rationale", "detail", "reason",
)  # fmt: skip
READ: Final = frozenset((*FINDINGS, *SUGGESTIONS, *OTHERS, "skill", "iteration", "timestamp"))


def read_sidecars(plan: Plan, reader: Reader, rows: Rows, facts: list[Facts], cases: Cases) -> None:
    """Add the rows of every document that is not a run's own."""
    sidecars = _Sidecars(plan.suite, rows, facts, cases)
    for kind, read in (
        ("feedback", sidecars.feedback),
        ("eval_feedback_aggregate", sidecars.suggestions),
        ("comparison", sidecars.comparison),
        ("analysis", sidecars.analysis),
    ):
        for path in plan.of(kind):
            value = reader.json(path)
            if value is not MISSING:
                stated = Stated(rows, plan.suite, version_of(path))
                read(Node(reader, path, value, "", plan.suite), stated)


class _Sidecars:
    """Reads the documents beside the runs of one suite; `stated` is of the version of each."""

    def __init__(self, suite: str, rows: Rows, facts: list[Facts], cases: Cases) -> None:
        self.suite = suite
        self.rows = rows
        self.facts = facts
        self.cases = cases

    def feedback(self, node: Node, stated: Stated) -> None:
        """Add a reviewer's words: `{reviews: [...]}`, a bare list, or a map of eval to text."""
        if isinstance(node.value, list) or isinstance(node.get("reviews"), list):
            done = str(node.get("status")).strip().lower() in DONE
            for item in node.items("reviews" if isinstance(node.value, dict) else None):
                self._review(item, _first(item, TARGETS), item, done=done)
        elif isinstance(node.value, dict):
            for name, inner in node.fields():
                if name not in BESIDE and isinstance(inner.value, (str, dict)):
                    self._review(node, name, inner, of_eval=True)
        else:
            node.type_problem("an object")
        for name in NOTES:
            for text, at in node.texts(name) if isinstance(node.get(name), (str, list)) else ():
                stated.note(text, node.path, at, kind="feedback")

    def _review(
        self, item: Node, target: str | None, at: Node, done: bool = False, of_eval: bool = False
    ) -> None:
        """Add one review, `of_eval` for all its runs; a blank one counts once all are `done`."""
        text = at.value if isinstance(at.value, str) else _first(at, TEXTS)
        blank = not text or not text.strip()
        if blank and not done:
            return
        version = version_of(at.path)
        found = self._runs(version, target or "")
        cases = {one.case_id for one in found}
        case_id = cases.pop() if len(cases) == 1 else None
        hint = "Write the path of {} run below the iteration, with - instead of /."
        if len(found) > 1 and not (of_eval and case_id is not None):
            what = f"{target!r} could be any of {len(found)} runs; the review is shown with their "
            at.note("info", "review-of-several", f"{what}case or version.", hint.format("one"))
        elif not found:
            what = f"No run is called {target!r}; the review is shown with its version."
            at.note("info", "review-without-run", what, hint.format("the"))
        times = (moment(item.get(key)) for key in TIMES)
        self.rows.add(
            FeedbackRow(
                suite=self.suite,
                run_id=found[0].run_id if len(found) == 1 else None,
                case_id=case_id,
                version=version,
                kind="review",
                target=target,
                text=None if blank else text,
                author=_first(item, AUTHORS),
                created_at=next((time for time in times if time is not None), None),
                source=at.path,
                pointer=at.at,
            )
        )

    def _runs(self, version: str | None, target: str) -> list[Facts]:
        """Return the runs that a viewer's id may mean: a path with `/` as `-`, or what is named."""
        wanted = slashed(target.strip()).replace("/", "-")
        if (exact := self._by_path.get((version, wanted))) is not None:
            return exact
        if version is not None:
            return self._called(wanted, version)
        versions = list(dict.fromkeys(fact.version for fact in self.facts))
        prefixed = [each for each in versions if wanted.startswith(f"{each}-")]
        pairs = [(each, wanted.removeprefix(f"{each}-")) for each in prefixed]
        found = [fact for each, name in pairs for fact in self._called(name, each)]
        return found or [fact for each in versions for fact in self._called(wanted, each)]

    @cached_property
    def _by_path(self) -> dict[tuple[str | None, str], list[Facts]]:
        """Version and path below it, with - for /, as the viewer calls runs, to those there."""
        found: dict[tuple[str | None, str], list[Facts]] = defaultdict(list)
        for fact in self.facts:
            if fact.path:
                version = None if fact.version == CURRENT else fact.version
                found[version, fact.path.replace("/", "-")].append(fact)
        return found

    def _called(self, wanted: str, version: str) -> list[Facts]:
        """Return the runs of a version with a viewer's id: that of a folder means all below it."""
        found: dict[str, Facts] = {}
        for end in (*(at for at, sign in enumerate(wanted) if sign == "-"), len(wanted)):
            for fact in self._by_name.get((version, wanted[:end]), ()):
                side = "" if fact.configuration == NONE else f"-{fact.configuration}"
                run = f"-run-{fact.run_id.rpartition('#')[2]}"
                if wanted[end:] in ("", side, side + run, run):
                    found[fact.run_id] = fact
        return list(found.values())

    @cached_property
    def _by_name(self) -> dict[tuple[str, str], list[Facts]]:
        """Version, and a name by which a viewer may call an eval, to the runs of that eval."""
        by_case: dict[tuple[str, str], list[Facts]] = defaultdict(list)
        for fact in self.facts:
            by_case[fact.version, fact.case_id].append(fact)
        found: dict[tuple[str, str], list[Facts]] = defaultdict(list)
        for (version, case_id), facts in by_case.items():
            case = self.cases.by_id.get(case_id)
            names = {case_id, (case and case.name) or "", *self.cases.ids[version, case_id]}
            names |= {f"eval-{name}" for name in names if name}
            for folder in self.cases.folders.get(case_id, []):  # the name of its folder, above all
                if version in folder.split("/") or gathered(folder) is None:
                    names.add(folder.rpartition("/")[2])
            for name in names - {""}:
                found[version, name] += facts
        return found

    def comparison(self, node: Node, stated: Stated) -> None:
        """Add a comparison, which is blind in skill-creator's form, or each of several `cases`."""
        if isinstance(node.get("cases"), list):
            self._comparisons(node, stated)
            return
        word = _winner(node)
        if word is None:
            return
        sides = [node.child("rubric").child(side) for side in "AB"]
        totals = [side.number("overall_score") for side in sides]
        why = node.text("reasoning")
        self._compared(node.path, node, word, totals, TOP, blinded=True, summary=why)
        for part in ("content", "structure"):
            one, two = (side.child(part) for side in sides)
            if isinstance(one.value, dict) and isinstance(two.value, dict):
                for name in dict.fromkeys([*one.value, *two.value]):
                    scores = one.number(name), two.number(name)
                    row = ComparisonScoreRow(node.path, name, *scores, PART_TOP, pointer=one.at)
                    self.rows.add(row)

    def _comparisons(self, node: Node, stated: Stated) -> None:
        """Add one comparison a case, as a harness writes that compares all cases at once."""
        blind, judged = node.get("judged_blind"), moment(node.get("judged_at"))
        items = list(node.items("cases"))
        names = (item.get("winner_by_skill") for item in items)
        skills = sorted({name for name in names if isinstance(name, str)})
        for item in items:
            word = _winner(item)
            if word is None:
                continue
            label = first(item.value, ("id", "case_id", "eval_id"))
            case = self.cases.numbered(stated.version or "", label) if label is not None else None
            # Where a document names both sides and the one that won, it says who A and B were.
            skill_a, skill_b, won = None, None, item.get("winner_by_skill")
            if word != "tie" and len(skills) == 2 and won in skills:
                skill_a, skill_b = skills if (word == "A") == (won == skills[0]) else skills[::-1]
            met: list[float | None] = []
            why: list[str | None] = []
            top = None
            for side in "AB":
                beside = item.child(f"output_{side}_eval")
                evidence, flags = beside.get("evidence"), beside.get("expectations_met")
                why.append(evidence if isinstance(evidence, str) else None)
                if isinstance(flags, list):
                    met.append(float(sum(value is True for value in flags)))
                    top = float(len(flags))
                else:
                    met.append(finite(item.get(f"{side.lower()}_expectations_met")))
            texts = [text for k in REASONS_WON if isinstance(text := item.get(k), str) and text]
            level = first(item.value, ("confidence", "verdict_confidence"))
            level = level.strip() or None if isinstance(level, str) else None
            if level is not None:  # one of the three words where it begins with one
                level = LEVELS.get(level.split()[0].strip(".,;:—-").lower(), level)
            key, named = f"{node.path}#{label}", None if label is None else str(label)
            self._compared(
                key,
                item,
                word,
                met,
                top,
                case_id=named if case is None else case.case_id,
                version_a=skill_a,
                version_b=skill_b,
                blinded=blind if isinstance(blind, bool) else None,
                versions_from="document" if skill_a else None,
                confidence_level=level,
                compared_at=judged,
                summary="\n".join(texts) or None,
            )
            if met != [None, None]:
                scores = key, MET, met[0], met[1], top
                self.rows.add(ComparisonScoreRow(*scores, why[0], why[1], item.at))
            _note_rest(item, stated, OF_CASE, f"{label}: ")
        _note_rest(node, stated, OF_CASES)

    def _compared(
        self,
        key: str,
        node: Node,
        word: str,
        totals: list[float | None],
        top: float | None,
        **further: Any,
    ) -> None:
        """Add a comparison of two outputs by a model; `further` are its other columns."""
        self.rows.add(
            ComparisonRow(
                comparison_id=key,
                suite=self.suite,
                winner=word,
                total_a=totals[0],
                total_b=totals[1],
                max_total=top,
                sample_size=1,
                judge_type="llm",
                source=node.path,
                pointer=node.at,
                **further,
            )
        )

    def suggestions(self, node: Node, stated: Stated) -> None:
        """Add the collected suggestions about the evals themselves."""
        number = node.whole("iteration")
        named = None if number is None else f"iteration-{number}"
        for item in node.items("suggestions"):
            self.rows.add(
                FeedbackRow(
                    suite=self.suite,
                    version=named if stated.version is None else stated.version,
                    kind="aggregate",
                    target=item.text("assertion"),
                    text=item.text("reason"),
                    action=(item.text("action") or "").strip() or None,
                    frequency=item.whole("frequency"),
                    source=item.path,
                    pointer=item.at,
                )
            )

    def analysis(self, node: Node, stated: Stated) -> None:
        """Add what an analyzer found: notes as a list, or findings, and what else it says."""
        if isinstance(node.value, list):
            items = (item for item in node.all_items() if isinstance(item.value, (str, dict)))
            for found in (found for item in items for found in leaf("", item) if found.text):
                _note(found, stated)
            return

        def add(kind: str, at: str, **found: str | None) -> None:
            self.rows.add(
                AnalysisRow(suite=self.suite, kind=kind, source=node.path, pointer=at, **found)
            )

        for key, kind in FINDINGS.items():
            for text, at in node.texts(key):
                add(kind, at, reasoning=text)
        for key in SUGGESTIONS:
            for item in node.items(key):
                add(
                    "suggestion",
                    item.at,
                    area=item.text("area") or item.text("category"),
                    after=item.text("after") or item.text("suggestion"),
                    reasoning=item.text("reasoning") or item.text("expected_impact"),
                    before=item.text("before"),
                )
        for key in OTHERS:
            for item in node.items(key) if isinstance(node.get(key), list) else ():
                fields = (found for name, child in item.fields() for found in leaf(name, child))
                lines = (f"{found.name}: {found.text or found.number}" for found in fields)
                # All that it says in lines, where it has none of the known fields.
                why = _words(item, REASONS) or "\n".join(lines) or None
                add("finding", item.at, area=_words(item, AREAS), reasoning=why)
        _note_rest(node, stated, READ, kind="benchmark")


def _note_rest(
    node: Node, stated: Stated, known: frozenset[str], prefix: str = "", kind: str = "comparison"
) -> None:
    """Keep what else a document says as notes."""
    others = (field for field in node.fields() if field[0] not in known)
    for found in (each for name, child in others for each in leaf(f"{prefix}{name}", child)):
        _note(found, stated, kind)


def _note(found: Leaf, stated: Stated, kind: str = "benchmark") -> None:
    text = found.text if found.text is not None else f"{found.number:g}"
    stated.note(text, found.node.path, found.node.at, found.name.lstrip(".") or None, kind=kind)


def _first(node: Node, keys: tuple[str, ...]) -> str | None:
    """Return the first of some fields that is a text which is not blank, or a number."""
    for key in keys:
        value = node.get(key)
        if isinstance(value, str) and value.strip():
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None


def _winner(node: Node) -> str | None:
    """Return who won; anything but A, B and a tie is noted."""
    stated = node.get("winner") if node.has("winner") else node.get("verdict")
    word = WINNERS.get(stated.strip().lower()) if isinstance(stated, str) else None
    if word is None:
        what = f"The winner {stated if isinstance(stated, str) else ''!r} is not A, B or tie, so "
        what += "this is not shown as a comparison."
        node.note("warning", "no-winner", what, "Write A, B or tie.", "winner")
    return word


def _words(item: Node, keys: tuple[str, ...]) -> str | None:
    return next((v for key in keys if isinstance(v := item.get(key), str) and v.strip()), None)
