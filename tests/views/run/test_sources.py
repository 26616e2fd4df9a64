"""Where everything that is said of a run stands."""

from pathlib import Path

from evalcore import open_workspace
from evalcore.views.run.evidence import evidence, places_of

SEEDS = Path(__file__).resolve().parents[2] / "data" / "seeds"


def test_a_rubric_run_leads_to_all_its_documents() -> None:
    """Grading, structural checks, timing and the definition of the case are all within reach."""
    ws = open_workspace(SEEDS / "rubric", cache=False)
    run = str(ws.tables.runs["run_id"].iloc[0])

    names = {source.rpartition("/")[2] for source, _ in places_of(ws, evidence(ws, run))}

    assert {"grading.json", "structural.json", "evals.json"} <= names


def test_a_record_leads_to_the_records_of_its_judgments() -> None:
    """A test run comes first, whole; each judgment's own record follows."""
    ws = open_workspace(SEEDS / "records", cache=False)
    judged = ws.tables.judgments["source"].astype(str)
    run = str(ws.tables.judgments["run_id"].iloc[0])

    places = places_of(ws, evidence(ws, run))

    assert places[0][1] in (None, "")
    assert set(judged[ws.tables.judgments["run_id"] == run]) <= {source for source, _ in places}
