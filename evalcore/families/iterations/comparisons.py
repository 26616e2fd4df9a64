"""Two outputs compared: one comparison a document, or one a case."""

from typing import Final

from evalcore.disk.values import Node
from evalcore.families.iterations.amounts import finite
from evalcore.families.iterations.cases import Cases
from evalcore.families.iterations.feedback import version_of
from evalcore.families.iterations.figures import leaf
from evalcore.families.iterations.measures import moment
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
        blind = node.get("judged_blind")
        judged = moment(node.get("judged_at"))
        names = {item.get("winner_by_skill") for item in node.items("cases")}
        sides = sorted(name for name in names if isinstance(name, str))
        for item in node.items("cases"):
            word = _winner(item)
            if word is None:
                continue
            stated = next((item.get(k) for k in ("id", "case_id", "eval_id") if item.has(k)), None)
            case_id = self._case(version_of(node.path), stated)
            key = f"{node.path}#{stated}"
            a, b = _unblinded(item, word, sides)
            met_a, met_b, top = _met(item)
            self.rows.add(
                ComparisonRow(
                    comparison_id=key,
                    suite=self.suite,
                    case_id=case_id,
                    version_a=a,
                    version_b=b,
                    winner=word,
                    total_a=met_a,
                    total_b=met_b,
                    max_total=top,
                    sample_size=1,
                    judge_type="llm",
                    blinded=blind if isinstance(blind, bool) else None,
                    versions_from="document" if a else None,
                    confidence_level=_level(item),
                    compared_at=judged,
                    summary=_reason(item),
                    source=item.path,
                    pointer=item.at,
                )
            )
            if met_a is not None or met_b is not None:
                why_a, why_b = (_evidence(item, side) for side in "AB")
                self.rows.add(
                    ComparisonScoreRow(
                        comparison_id=key,
                        criterion=MET,
                        score_a=met_a,
                        score_b=met_b,
                        max_score=top,
                        justification_a=why_a,
                        justification_b=why_b,
                        pointer=item.at,
                    )
                )
            self._rest(item, KNOWN, f"{stated}: ")
        self._rest(node, TOP_KNOWN, "")

    def _case(self, version: str | None, stated: object) -> str | None:
        if stated is None:
            return None
        case = self.cases.numbered(version or "", stated) if self.cases is not None else None
        return case.case_id if case is not None else str(stated)

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


def _unblinded(item: Node, word: str, sides: list[str]) -> tuple[str | None, str | None]:
    """Return who A and B were where a document names both sides and the one that won."""
    won = item.get("winner_by_skill")
    if word == "tie" or len(sides) != 2 or won not in sides:
        return None, None
    lost = sides[1 - sides.index(won)]
    return (won, lost) if word == "A" else (lost, won)


def _met(item: Node) -> tuple[float | None, float | None, float | None]:
    """Return how many expectations A and B met, and of how many where that is stated."""
    found: list[float | None] = []
    top = None
    for side in "AB":
        stated = item.child(f"output_{side}_eval").get("expectations_met")
        if isinstance(stated, list):
            found.append(float(sum(value is True for value in stated)))
            top = float(len(stated))
        else:
            found.append(finite(item.get(f"{side.lower()}_expectations_met")))
    return found[0], found[1], top


def _evidence(item: Node, side: str) -> str | None:
    text = item.child(f"output_{side}_eval").get("evidence")
    return text if isinstance(text, str) else None


def _reason(item: Node) -> str | None:
    keys = ("rationale", "reasoning", "winner_rationale_pos_map")
    texts = [text for key in keys if isinstance(text := item.get(key), str) and text]
    return "\n".join(texts) or None


def _level(item: Node) -> str | None:
    """Return how sure a judge was, as one of the three words where it begins with one."""
    stated = item.get("confidence") if item.has("confidence") else item.get("verdict_confidence")
    if not isinstance(stated, str) or not stated.strip():
        return None
    first = stated.split()[0].strip(".,;:—-").lower()
    return LEVELS.get(first, stated.strip())
