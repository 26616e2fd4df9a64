"""The passing thresholds of a store's runs, from their rubrics."""

from collections.abc import Collection

from evalcore.families.reviews.lookup import Lookup, Suite, where
from evalcore.families.reviews.subjects import Outputs, record_at


def thresholds(
    known: Lookup, suite: Suite, cases: Collection[str], documents: Outputs
) -> dict[str, float]:
    """Return the passing threshold of the rubric of each case that has one."""
    if not suite.family.scoring.by_total or not cases:
        return {}
    rubrics = dict(_ends(known, suite, "evaluated_by", "source_id", cases))
    places = _places(known, suite, set(rubrics.values()))
    found = {}
    for case, rubric in rubrics.items():
        for path, pointer in places.get(rubric, ()):
            record = record_at(documents.value(path), pointer)
            fields = record.get("fields")
            value = fields.get("passingThreshold") if isinstance(fields, dict) else None
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if record.get("id") == rubric and number:
                found[case] = float(value)  # type: ignore[arg-type]
                break
    return found


def _ends(
    known: Lookup, suite: Suite, relation: str, end: str, names: Collection[str]
) -> list[tuple[str, str]]:
    """Return (source, target) of a relation with one end among `names`, the first one last."""
    rows = where(known.column("relations", end), names).tolist()
    columns = ("suite", "relation", "source_id", "target_id")
    found = [
        (source, target)
        for here, name, source, target in known.rows("relations", columns, rows)
        if (here, name) == (suite.id, relation)
    ]
    return found[::-1]


def _places(
    known: Lookup, suite: Suite, rubrics: Collection[str]
) -> dict[str, list[tuple[str, str]]]:
    """Return the places that say what each rubric is composed of: its own record, as a rule."""
    rows = where(known.column("relations", "source_id"), rubrics).tolist()
    columns = ("suite", "relation", "source_id", "source", "pointer")
    found: dict[str, list[tuple[str, str]]] = {}
    for here, name, rubric, path, pointer in known.rows("relations", columns, rows):
        if (here, name) == (suite.id, "composed_of") and path and pointer is not None:
            places = found.setdefault(rubric, [])
            if (path, pointer.partition("/fields")[0]) not in places:
                places.append((path, pointer.partition("/fields")[0]))
    return found
