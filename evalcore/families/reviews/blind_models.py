"""Records of blind studies: what is compared, who judges, their verdicts, the key at the end."""

from typing import Annotated, Literal

from pydantic import Field

from evalcore.families.reviews.record_model import RecordModel, ReviewRecord, Sha256
from evalcore.families.reviews.review import Drawn, Part, Winner
from evalcore.shapes import parts
from evalcore.shapes.fields import RAW
from evalcore.shapes.models import NotBlank, Number, Timestamp
from evalcore.shapes.written import Place


class BlindPair(RecordModel):
    """Two runs of one case that are compared blind, with the sha256 of what each had made."""

    pair: Annotated[str, Place(RAW, parts.JUDGE)]
    case_id: Annotated[str, Place(RAW, parts.JUDGE)]
    run_a: Annotated[str, Place(RAW, parts.JUDGE)]
    run_b: Annotated[str, Place(RAW, parts.JUDGE)]
    output_a: Annotated[str, Place(RAW, parts.JUDGE)]
    output_b: Annotated[str, Place(RAW, parts.JUDGE)]


class BlindCriterion(RecordModel):
    """A criterion that both outputs are scored by in a blind study."""

    name: Annotated[NotBlank, Place(RAW, parts.JUDGE)]
    description: Annotated[str, Place(RAW, parts.JUDGE)] = ""
    low: Annotated[int, Place(RAW, parts.JUDGE)]
    high: Annotated[int, Place(RAW, parts.JUDGE)]


class BlindStudyFields(RecordModel):
    """A study in which judges compare outputs of two sides without knowing which is which.

    `commitment` is the sha256 of the secret that decides for each judge which side is left, with
    the pairs; `blind-key` tells the secret at the end. `judges` are ids, `names` the names of those
    who have no id yet; with neither, whoever joins judges. `judgesPerTask` is missing where every
    judge compares every pair.
    """

    side_a: Annotated[str, Place(RAW, parts.JUDGE)]
    side_b: Annotated[str, Place(RAW, parts.JUDGE)]
    pairs: list[BlindPair]
    criteria: list[BlindCriterion] = Field(default_factory=list)
    judges: Annotated[list[str], Place(RAW, parts.JUDGE)] = Field(default_factory=list)
    names: Annotated[list[str], Place(RAW, parts.JUDGE)] = Field(default_factory=list)
    judges_per_task: Annotated[int | None, Field(ge=1), Place(RAW, parts.JUDGE)] = None
    drawn: Annotated[Drawn, Place(RAW, parts.JUDGE)] = "one"
    commitment: Annotated[Sha256, Place(RAW, parts.JUDGE)]


class BlindJudgeFields(RecordModel):
    """A judge who joins a blind study, gives up judging it blind, or was told which is which."""

    study: Annotated[str, Place(RAW, parts.JUDGE)]
    part: Annotated[Part, Place(RAW, parts.JUDGE)]


class BlindScore(RecordModel):
    """How a blind judge scores both outputs by one criterion."""

    criterion: Annotated[str, Place(RAW, parts.JUDGE)]
    left: Annotated[Number, Place(RAW, parts.JUDGE)]
    right: Annotated[Number, Place(RAW, parts.JUDGE)]


class BlindVerdictFields(RecordModel):
    """Which of two outputs a blind judge finds better, as they stood on the screen.

    `winner` is null where the judge took the verdict back. `knows` says that the judge recognised
    which is which; such verdicts are reported apart.
    """

    study: Annotated[str, Place(RAW, parts.JUDGE)]
    pair: Annotated[str, Place(RAW, parts.JUDGE)]
    winner: Annotated[Winner | None, Place(RAW, parts.JUDGE)]
    scores: list[BlindScore] = Field(default_factory=list)
    rationale: Annotated[NotBlank, Place(RAW, parts.JUDGE)]
    knows: Annotated[bool, Place(RAW, parts.JUDGE)] = False
    judged_at: Annotated[Timestamp, Place(RAW, parts.JUDGE)]


class BlindKeyFields(RecordModel):
    """The end of a blind study: the secret that it kept; null where its key file is gone."""

    study: Annotated[str, Place(RAW, parts.JUDGE)]
    secret: Annotated[str | None, Place(RAW, parts.JUDGE)]


class BlindStudyRecord(ReviewRecord):
    """A blind study of two sides."""

    type: Literal["blind-study"] = "blind-study"
    fields: BlindStudyFields


class BlindJudgeRecord(ReviewRecord):
    """A judge's part in a blind study."""

    type: Literal["blind-judge"] = "blind-judge"
    fields: BlindJudgeFields


class BlindVerdictRecord(ReviewRecord):
    """A judge's verdict on one pair of a blind study."""

    type: Literal["blind-verdict"] = "blind-verdict"
    fields: BlindVerdictFields


class BlindKeyRecord(ReviewRecord):
    """The key of a blind study, which ends it."""

    type: Literal["blind-key"] = "blind-key"
    fields: BlindKeyFields
