"""Where the fields of the records of a `reviews` folder go."""

from evalcore.documents.places.words import (
    CRITERIA,
    DOCUMENTS,
    GRID,
    JUDGE,
    NOTES,
    RUN,
    Places,
    below,
    raw,
    shown,
)

ENVELOPE: Places = {
    **shown(DOCUMENTS, id="documents.path", type="documents.kind"),
    **raw(DOCUMENTS, "schema", "supersedes"),
    **below("evalcore.", raw(JUDGE, "outputSha256", "promptSha256", "criterionSha256")),
}


def _said(by: str, fields: Places) -> Places:
    """The places of a record whose writer and time stand in a table."""
    written = shown(JUDGE, createdBy=f"{by}.author", createdAt=f"{by}.created_at")
    return {**ENVELOPE, **written, **below("fields.", fields)}


_SCORE: Places = shown(
    CRITERIA,
    testRunId="judgments.run_id",
    criterionId="judgments.kind, judgments.criterion",
    score="judgments.score, run_scores.score",
    minScore="judgments.min_score",
    maxScore="judgments.max_score",
    rationale="judgments.rationale",
    judgedAt="judgments.judged_at",
)

_JUDGMENT: Places = {
    **_SCORE,
    **shown(
        CRITERIA,
        judgedBy="judgments.judge, run_scores.judge",
        judgedByType="judgments.judge_type",
        confidence="judgments.confidence",
        confidenceLevel="judgments.confidence_level",
        **{"evidence[]": "judgments.evidence"},
    ),
}

_ADJUDICATION: Places = {**_SCORE, **raw(JUDGE, "judgedBy", "judgmentIds[]")}


def _state(table: str, where: str, back: str) -> Places:
    return {
        **shown(where, testRunId=f"{table}.run_id", reason=f"{table}.reason"),
        **raw(where, back),
    }


_WRITTEN: Places = raw(JUDGE, "createdBy", "createdAt")

PLACES: dict[str, Places] = {
    "eval-judgment": {**ENVELOPE, **_WRITTEN, **below("fields.", _JUDGMENT)},
    "adjudication": {**ENVELOPE, **_WRITTEN, **below("fields.", _ADJUDICATION)},
    "exclusion": _said("exclusions", _state("exclusions", RUN, "lifted")),
    "note": _said("notes", shown(NOTES, testRunId="notes.run_id", text="notes.text")),
    "skip": _said("requests", _state("requests", JUDGE, "lifted")),
    "approval-request": _said("requests", _state("requests", GRID, "done")),
}
