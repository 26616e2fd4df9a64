"""The `rows` family: tables of other tools and of spreadsheets, by a mapping beside them."""

from evalcore.families.base import Family, later
from evalcore.families.rows.mapping import ENDING
from evalcore.families.rows.read import HEADLINE, advice, find, read
from evalcore.families.several_judges import SCORING

FAMILY = Family(
    name="rows",
    about=(
        "Tables of runs as other tools export them: CSV, JSON lines, Parquet, or a JSON list of "
        "objects. `evalcore rows FILE --write` guesses which column is what, shows it, and stores "
        "it as a mapping beside the table; the table itself is read in place and never changed. A "
        "column is named as its head is, a value inside a cell by a JSON pointer such as "
        '`/scores/accuracy`, and `{"is": "v1"}` is one value for all rows. A table may have one '
        "column for each criterion, or one row for each judgment (`criterion` then names the "
        "column that says of what). Without `run`, the rows of a case are its runs in their order; "
        "without `case`, rows with the same prompt are one case."
    ),
    documents=later("rows.mapping", "DOCUMENTS"),
    exporting=later("rows.exporting", "EXPORTING"),
    looks_like=(f"tables with a mapping (NAME{ENDING})",),
    headline=HEADLINE,
    achieved="scored {value} of what was possible over {cases}",
    find=find,
    read=read,
    mapped=(".csv", ".tsv", ".parquet", ".jsonl", ".json"),
    mapping=later("rows.read", "MAPPED"),
    advice=advice,
    shapes=(frozenset({"schema", "tables", "criteria"}),),
    bare_verdicts=True,
    scaled=True,
    scoring=SCORING,
    started_with=(
        "These runs come from a table: run them with the tool that wrote it, and export it again."
    ),
)
