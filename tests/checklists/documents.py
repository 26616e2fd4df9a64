"""What the documents of checklists hold."""

from evalcore.shapes import parts
from evalcore.shapes.fields import RAW, Document, Field, Flag, ListOf, MapOf, Number, Shape, Text

TASK = Shape(
    "What is asked, and what must have happened.",
    Field("ask", Text(), "cases.prompt", parts.CASE),
    Field("steps", ListOf(Text()), "criteria.criterion", parts.DEFINED),
)
CHECKLIST = Shape("All tasks, by name.", Field("tasks", MapOf(TASK)))
ROUND = Shape(
    "One round of one task.",
    Field("task", Text(), "runs.case_id", parts.GRID),
    Field("done", MapOf(Flag()), "judgments.passed", parts.CRITERIA),
    Field("share", Number(), RAW, parts.DOCUMENT, absent=True),
)
TALLY = Shape("The share of rounds that passed, by version.", others=Field("*", Number(), RAW, ""))
DOCUMENTS = (
    Document("checklist", CHECKLIST, "<suite>/checklist.json"),
    Document("round", ROUND, "<suite>/rounds/<version>/<task>.json"),
    Document("tally", TALLY, "<suite>/tally.json"),
)
