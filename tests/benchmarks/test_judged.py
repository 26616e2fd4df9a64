"""The generated records of people: all of them count, or all but the last are replaced."""

from pathlib import Path

from benchmarks import judged
from evalcore import open_workspace


def test_records_apart_all_count(tmp_path: Path) -> None:
    """Each is about another judge, run or criterion; nothing is wrong with any."""
    written = judged.write(60, 4, "apart", tmp_path)
    ws = open_workspace(tmp_path, cache=False)
    rows = ws.tables.judgments[ws.tables.judgments["judge_type"] == "human"]
    assert rows["status"].tolist() == ["scored"] * 60
    assert rows["judge"].nunique() == 4
    assert ws.problems == []
    assert written.bytes == sum(path.stat().st_size for path in tmp_path.rglob("*.*"))


def test_of_chained_records_the_last_counts(tmp_path: Path) -> None:
    """And there is no conflict among them."""
    judged.write(30, 1, "chained", tmp_path)
    ws = open_workspace(tmp_path, cache=False)
    rows = ws.tables.judgments[ws.tables.judgments["judge_type"] == "human"]
    assert rows["status"].value_counts().to_dict() == {"superseded": 29, "scored": 1}
    assert ws.problems == []
