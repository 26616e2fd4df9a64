"""Who judged a run, as its grading says."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from evalcore.disk.reader import Json
from evalcore.disk.values import Node
from evalcore.shapes import parts
from evalcore.shapes.fields import TEXT, Text, optional

MODEL: Final = "llm"
HUMAN: Final = "human"
RULE: Final = "heuristic"
TYPES: Final = (MODEL, HUMAN, RULE)

RULES: Final = "evalcore-rules"
"""The judge that gradings name where rules decided all."""

REPEATED: Final = "repeated"
"""The origin of a score in a suite's own files that repeats records of people: no further judge."""

BLOCK: Final = "evalcore"
RECORDS: Final = "judgmentIds"
VERSIONS: Final = "versions"
BLIND: Final = "blind"

MAX_JUDGE: Final = 200
"""A longer text is no name."""

JUDGE: Final = optional("judge", TEXT, "runs.judge", parts.RUN)
JUDGE_TYPE: Final = optional("judge_type", Text(words=TYPES), "runs.judge_type", parts.RUN)
COMPARED_BY: Final = (
    optional("judge", TEXT, "comparisons.judge", parts.COMPARISONS),
    optional("judge_type", Text(words=TYPES), "comparisons.judge_type", parts.COMPARISONS),
)
"""Who compared two outputs, in the documents that say it."""


class Judge(NamedTuple):
    """The judge of a run; where a grading does not say it, a model without a name.

    `repeats` says that the grading was written from what people said in records of their own.
    """

    name: str | None = None
    type: str = MODEL
    repeats: bool = False

    @property
    def of_score(self) -> tuple[str | None, str, str | None]:
        """Judge, type and origin of the score of the run."""
        return self.name, self.type, REPEATED if self.repeats else None

    @property
    def of_judgments(self) -> "Judge":
        """The judge that each judgment names: a person or a rule; models are the run's."""
        return UNNAMED if self.type == MODEL else self


UNNAMED: Final = Judge()


def judge_of(doc: Node, names: Iterable[str] = JUDGE.names) -> Judge:
    """Return the judge that a grading names; an unknown type is noted."""
    kind = doc.get(JUDGE_TYPE.name)
    known = kind in TYPES
    if not known and kind is not None:
        doc.wrong(JUDGE_TYPE.name, '"llm", "human" or "heuristic"')
    judge = judge_from((doc.get(name) for name in names), kind if known else None)
    return judge._replace(repeats=judge.type == HUMAN and names_records(doc.value))


def own_block(value: Json) -> dict[str, Any]:
    """Return what evalcore adds to a document that it writes; empty in all others."""
    block = value.get(BLOCK) if isinstance(value, dict) else None
    return block if isinstance(block, dict) else {}


def names_records(value: Json) -> bool:
    """Return whether a document names the records of people that it was written from."""
    return isinstance(own_block(value).get(RECORDS), list)


def versions_in(value: Json) -> tuple[str, str] | None:
    """Return the versions behind A and B, where a comparison of our own names them."""
    named = own_block(value).get(VERSIONS)
    sides = (named.get("A"), named.get("B")) if isinstance(named, dict) else (None, None)
    a, b = (each if isinstance(each, str) and each.strip() else None for each in sides)
    return None if a is None or b is None or a == b else (a, b)


def was_blind(value: Json) -> bool:
    """Return whether a comparison of our own says that it was made blind."""
    return own_block(value).get(BLIND) is True


def written_from(records: Iterable[str]) -> dict[str, Json]:
    """Return the field of a document that names the records of people that it was written from."""
    return {BLOCK: {RECORDS: list(records)}}


def judge_from(names: Iterable[object], kind: str | None) -> Judge:
    """Return the judge of the first name that is one, of a type that is known."""
    texts = (name.strip() for name in names if isinstance(name, str))
    name = next((text for text in texts if text and len(text) <= MAX_JUDGE), None)
    return Judge(name, kind or MODEL)
