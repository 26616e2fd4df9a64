"""What a run of faults left behind, counted against what had been acknowledged."""

import hashlib
import json
from dataclasses import dataclass, replace
from pathlib import Path

from evalcore.families.reviews.models import BY_TYPE
from evalcore.families.reviews.review import UNFINISHED
from evalcore.shapes.faults import faults

FOREIGN = {
    "benchmark.json": '{"metadata": {}, "runs": []}\n',
    "iteration-1/eval-1/with_skill/grading.json": '{"expectations": []}\n',
    "reviews/README.md": "Ours.\n",
    "reviews/.tmp/of somebody else.tmp": "half a fi",
}


@dataclass(frozen=True)
class Line:
    """One line of the report. `number` is how many faults there were."""

    kind: str
    number: int
    acknowledged: int
    lost: int = 0
    torn: int = 0
    duplicated: int = 0
    foreign: int = 0
    left: int = 0
    seed: int = 0
    remark: str = ""

    @property
    def faults(self) -> int:
        """How many things went wrong."""
        return self.lost + self.torn + self.duplicated + self.foreign

    def __add__(self, other: "Line") -> "Line":
        names = ("number", "acknowledged", "lost", "torn", "duplicated", "foreign", "left")
        return replace(self, **{name: getattr(self, name) + getattr(other, name) for name in names})

    def text(self) -> str:
        """Return the line in words."""
        known = self.number > 3 and not self.faults
        bound = f" (at most {3 / self.number:.2%} of them)" if known else ""
        remark = f"; {self.remark}" if self.remark else ""
        return (
            f"{self.kind}: N {self.number:,}, acknowledged {self.acknowledged:,}, "
            f"lost {self.lost:,}, torn {self.torn:,}, duplicated {self.duplicated:,}, "
            f"foreign changed {self.foreign:,}, left temp files {self.left:,}, "
            f"seed {self.seed}{bound}{remark}"
        )


def made_workspace(root: Path) -> Path:
    """Make a folder that holds what other programs wrote."""
    for path, text in FOREIGN.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, "utf-8")
    return root


def foreign_changed(root: Path) -> int:
    """Return how many files of other programs are not what they were."""
    return sum(
        not (root / path).is_file() or (root / path).read_text("utf-8") != text
        for path, text in FOREIGN.items()
    )


def left_over(root: Path) -> int:
    """Return how many unfinished files of ours there are."""
    folder = root / "reviews" / UNFINISHED
    names = [path.name for path in folder.iterdir()] if folder.is_dir() else []
    return len(names) - sum(f"reviews/{UNFINISHED}/{name}" in FOREIGN for name in names)


def verified(
    root: Path, acknowledged: dict[str, str], *, kind: str, number: int, seed: int = 0
) -> Line:
    """Compare a workspace with the oracle: id and sha256 of what was acknowledged.

    Lost is what is not there, or not with those bytes; torn what has a record's name and is no
    whole record; duplicated what holds the same submission as another file.
    """
    held: dict[str, str] = {}
    torn, submissions = 0, []
    for path in sorted((root / "reviews").glob("*/*.json")):
        data = path.read_bytes()
        held[path.stem] = hashlib.sha256(data).hexdigest()
        submission = _submission(path, data)
        torn += submission is None
        submissions.append(submission)
    whole = [each for each in submissions if each is not None]
    return Line(
        kind,
        number,
        len(acknowledged),
        lost=sum(held.get(name) != sha for name, sha in acknowledged.items()),
        torn=torn,
        duplicated=len(whole) - len(set(whole)),
        foreign=foreign_changed(root),
        left=left_over(root),
        seed=seed,
    )


def _submission(path: Path, data: bytes) -> str | None:
    """Return what a whole record says it is about; None for anything else."""
    try:
        value = json.loads(data)
        whole = not faults(BY_TYPE[path.parent.name], value) and value["id"] == path.stem
    except (ValueError, KeyError):
        return None
    return f"{value['type']} {value['fields'].get('number')}" if whole else None
