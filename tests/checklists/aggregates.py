"""Write the share of rounds that passed into tally.json."""

from collections import defaultdict
from collections.abc import Iterator

from evalcore.disk.files import Files
from evalcore.proposals.proposal import Proposal, Target, stored
from evalcore.tables.cells import cells
from evalcore.tables.snapshot import Tables


def tallies(
    tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool
) -> Iterator[Proposal]:
    """Yield what shall become of the tally of a suite."""
    del replace
    passed: dict[str, list[bool]] = defaultdict(list)
    for own, label, good in cells(tables, "runs", "suite", "version", "passed"):
        if own == suite and version in (None, label):
            passed[label].append(good)
    shares = {label: sum(found) / len(found) for label, found in passed.items()}
    target = Target(suite, version, f"{suite}/tally.json")
    there = stored(files, target.path)
    yield target.fresh(shares) if there is None else target.changed(there, there.value | shares)
