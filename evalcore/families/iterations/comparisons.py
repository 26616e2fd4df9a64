"""Two outputs compared: one comparison a document, or one a case."""

from typing import Final

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.figures import leaf
from evalcore.families.iterations.measures import moment
from evalcore.layouts.iterations import version_of
from evalcore.tables.builder import Rows
from evalcore.tables.rows import ComparisonRow, ComparisonScoreRow, NoteRow

TOP: Final = 10.0
PART_TOP: Final = 5.0
WINNERS: Final = {"a": "A", "b": "B", "tie": "tie", "draw": "tie", "empate": "tie", "equal": "tie"}
LEVELS: Final = {
    "alta": "high", "alto": "high", "média": "medium", "media": "medium", "médio": "medium",
    "baixa": "low", "baixo": "low", "high": "high", "medium": "medium", "low": "low",
}  # fmt: skip
MET: Final = "expectations met"
KNOWN: Final = frozenset(
    ("id", "case_id", "eval_id", "name", "winner", "verdict", "confidence", "verdict_confidence",
     "a_expectations_met", "b_expectations_met", "rationale", "reasoning", "winner_by_skill",
     "winner_rationale_pos_map", "output_A_eval", "output_B_eval")
)  # fmt: skip
TOP_KNOWN: Final = frozenset(("cases", "skill", "iteration", "judged_blind", "judged_at"))


class Comparisons:
    """Reads the comparisons of one suite."""

    def __init__(self, suite: str, rows: Rows, cases: Cases | None) -> None:
        self.suite = suite
        self.rows = rows
        self.cases = cases

    def read(self, node: Node) -> None:
        """Add the comparison that a document is, or each of its `cases`."""
        if isinstance(node.get("cases"), list):
            self._by_case(node)
        else:
            self._one(node)

    def _one(self, node: Node) -> None:
        """Add a blind comparison in skill-creator's form; who A and B were is not in the file."""
        word = _winner(node)
        if word is None:
            return
        sides = [node.child("rubric").child(side) for side in "AB"]
        total_a, total_b = (
            side.number("overall_score") if isinstance(side.value, dict) else None for side in sides
        )
        self.rows.add(
            ComparisonRow(
                comparison_id=node.path,
                suite=self.suite,
                winner=word,
                total_a=total_a,
                total_b=total_b,
                max_total=TOP,
                sample_size=1,
                judge_type="llm",
                blinded=True,
                summary=node.text("reasoning"),
                source=node.path,
                pointer="",
            )
        )
        for part in ("content", "structure"):
            one, two = (side.child(part) for side in sides)
            if isinstance(one.value, dict) and isinstance(two.value, dict):
                for name in dict.fromkeys([*one.value, *two.value]):
                    self.rows.add(
                        ComparisonScoreRow(
                            comparison_id=node.path,
                            criterion=name,
                            score_a=one.number(name),
                            score_b=two.number(name),
                            max_score=PART_TOP,
                            pointer=one.at,
                        )
                    )

    def _by_case(self, node: Node) -> None:
        """Add one comparison a case, as a harness writes that compares all cases at once."""
        blind, version = node.get("judged_blind"), version_of(node.path)
        judged = moment(node.get("judged_at"))
        cases = list(node.items("cases"))
        names = {item.get("winner_by_skill") for item in cases}
        skills = sorted(name for name in names if isinstance(name, str))
        for item in cases:
            word = _winner(item)
            if word is None:
                continue
            stated = next((item.get(k) for k in ("id", "case_id", "eval_id") if item.has(k)), None)
            case = None
            if stated is not None and self.cases is not None:
                case = self.cases.numbered(version or "", stated)
            case_id = None if stated is None else str(stated)
            # Where a document names both sides and the one that won, it says who A and B were.
            skill_a, skill_b, won = None, None, item.get("winner_by_skill")
            if word != "tie" and len(skills) == 2 and won in skills:
                lost = skills[1 - skills.index(won)]
                skill_a, skill_b = (won, lost) if word == "A" else (lost, won)
            key = f"{node.path}#{stated}"
            met: list[float | None] = []
            why: list[str | None] = []
            top = None
            for side in "AB":
                judged_side = item.child(f"output_{side}_eval")
                evidence, flags = judged_side.get("evidence"), judged_side.get("expectations_met")
                why.append(evidence if isinstance(evidence, str) else None)
                if isinstance(flags, list):
                    met.append(float(sum(value is True for value in flags)))
                    top = float(len(flags))
                else:
                    met.append(finite(item.get(f"{side.lower()}_expectations_met")))
            reasons = ("rationale", "reasoning", "winner_rationale_pos_map")
            texts = [text for k in reasons if isinstance(text := item.get(k), str) and text]
            self.rows.add(
                ComparisonRow(
                    comparison_id=key,
                    suite=self.suite,
                    case_id=case_id if case is None else case.case_id,
                    version_a=skill_a,
                    version_b=skill_b,
                    winner=word,
                    total_a=met[0],
                    total_b=met[1],
                    max_total=top,
                    sample_size=1,
                    judge_type="llm",
                    blinded=blind if isinstance(blind, bool) else None,
                    versions_from="document" if skill_a else None,
                    confidence_level=_level(item),
                    compared_at=judged,
                    summary="\n".join(texts) or None,
                    source=item.path,
                    pointer=item.at,
                )
            )
            if met != [None, None]:
                self.rows.add(
                    ComparisonScoreRow(
                        comparison_id=key,
                        criterion=MET,
                        score_a=met[0],
                        score_b=met[1],
                        max_score=top,
                        justification_a=why[0],
                        justification_b=why[1],
                        pointer=item.at,
                    )
                )
            self._rest(item, KNOWN, f"{stated}: ")
        self._rest(node, TOP_KNOWN, "")

    def _rest(self, node: Node, known: frozenset[str], prefix: str) -> None:
        """Keep what else a comparison says as notes."""
        for name, child in node.fields():
            for found in leaf(f"{prefix}{name}", child) if name not in known else ():
                text = found.text if found.text is not None else f"{found.number:g}"
                self.rows.add(
                    NoteRow(
                        suite=self.suite,
                        version=version_of(node.path),
                        kind="comparison",
                        target=found.name,
                        text=text,
                        source=node.path,
                        pointer=found.node.at,
                    )
                )


def _winner(node: Node) -> str | None:
    """Return who won; anything but A, B and a tie is noted."""
    stated = node.get("winner") if node.has("winner") else node.get("verdict")
    word = WINNERS.get(stated.strip().lower()) if isinstance(stated, str) else None
    if word is None or not isinstance(node.value, dict):
        node.note(
            "warning",
            "no-winner",
            f"The winner {stated if isinstance(stated, str) else ''!r} is not A, B or tie, so "
            "this is not shown as a comparison.",
            "Write A, B or tie.",
            "winner",
        )
        return None
    return word


def _level(item: Node) -> str | None:
    """Return how sure a judge was, as one of the three words where it begins with one."""
    stated = item.get("confidence") if item.has("confidence") else item.get("verdict_confidence")
    if not isinstance(stated, str) or not stated.strip():
        return None
    first = stated.split()[0].strip(".,;:—-").lower()
    return LEVELS.get(first, stated.strip())
