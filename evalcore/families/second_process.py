"""The second process of a very large suite: `python -m evalcore.families.second_process JOB`."""

import sys
from array import array
from pathlib import Path

import msgspec

from evalcore.disk.listing import Listing
from evalcore.disk.reader import Reader
from evalcore.families.parallel import Half, Job
from evalcore.families.registry import family
from evalcore.tables import store
from evalcore.tables.builder import Rows


def work(job: Job) -> Half | None:
    """Read one half of a suite; None when something in it depends on the other half."""
    nothing = array("q")
    folders = frozenset(job.folders)
    reader = Reader(Listing(Path(job.root), [], nothing, nothing, folders, []))
    rows = Rows(Path(job.folder))
    second_half = family(job.plan.family).second_half
    found = second_half(job, reader, rows) if second_half else None
    if found is None:
        return None
    directory = store.write(Path(job.folder), rows)
    return Half(directory, reader.problems, sorted(reader.extras), found)


def main() -> int:
    """Read what the file of a job asks for, and write what was found to standard output."""
    half = work(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Job))
    if half is None:
        return 1
    sys.stdout.buffer.write(msgspec.json.encode(half))
    return 0


if __name__ == "__main__":
    sys.exit(main())
