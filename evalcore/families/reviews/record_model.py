"""What all review records have in common."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from evalcore.families.base import SCHEMA
from evalcore.families.reviews.review import Seen
from evalcore.shapes import parts
from evalcore.shapes.fields import RAW
from evalcore.shapes.models import SeedModel, Timestamp
from evalcore.shapes.written import Place

Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class RecordModel(SeedModel):
    """An object whose keys are in camelCase."""

    model_config = ConfigDict(alias_generator=to_camel)


class RunIdentity(RecordModel):
    """What a run is, whatever folder is opened to see it.

    `place` is its grading relative to the folder that holds `reviews`; `caseNames` are the names of
    its case beside `caseId`. Which run a record is about is decided by these, then by `testRunId`.
    """

    place: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    case_id: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    case_names: Annotated[list[str], Place(RAW, parts.JUDGE)] = Field(default_factory=list)
    version: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    configuration: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    run: Annotated[str | None, Place(RAW, parts.JUDGE)] = None


class Basis(RecordModel):
    """What a judgment rests on, as sha256; where one is another by now, the score is stale.

    `output` is over all output files of the run, `prompt` over what was asked, `criterion` over the
    criterion as it was worded, scaled and anchored. `promptSource` and `criterionSource` are the
    documents that said so, as seen from the grading of the run. What was not there, or not defined
    by any document, is missing.

    `seen` is what the judge could have seen of the run before, as far as the server knew: the
    recorded scores, those of other people; nothing where the list is empty. It is missing in
    records that were written before evalcore kept it.

    `judging` is what a model's judgment was made with: model, parameters, sha256 of prompt and
    criteria, and how it was asked.
    """

    output_sha256: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    prompt_sha256: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    prompt_source: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    criterion_sha256: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    criterion_source: Annotated[str | None, Place(RAW, parts.JUDGE)] = None
    run: RunIdentity | None = None
    seen: Annotated[list[Seen] | None, Place("judgments.seen", parts.CRITERIA)] = None
    judging: Annotated[dict[str, Any] | None, Place(RAW, parts.JUDGE)] = None


class ReviewRecord(RecordModel):
    """What every record has: `id` is that of the submission, `createdBy` the judge."""

    id: Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$"), Place("documents.path", parts.DOCUMENTS)]
    type: Annotated[str, Place("documents.kind", parts.DOCUMENTS)]
    schema_version: Annotated[Literal[1], Place(RAW, parts.DOCUMENTS)] = Field(
        default=SCHEMA, alias="schema"
    )
    fields: SeedModel
    created_at: Annotated[Timestamp, Place(RAW, parts.JUDGE)]
    created_by: Annotated[str, Place(RAW, parts.JUDGE)]
    supersedes: Annotated[str | list[str] | None, Place(RAW, parts.DOCUMENTS)] = None
    evalcore: Basis | None = None
