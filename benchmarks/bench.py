"""Shared by the rows: workspaces, their indexes, and openings used by several rows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import process
from benchmarks.measure import Clock, Samples, Way, interleaved
from benchmarks.process import OutOfTime
from benchmarks.workspaces import Made, Store

FAMILIES = ("records", "rubric", "descriptions", "iterations")


class Sizes(NamedTuple):
    """The number of gradings of the main workspace, of other families, and of the million one.

    `million` gradings hold about 5.5 times as many judgments.
    """

    main: int
    others: int
    million: int


class Bench:
    """What the rows share; every workspace is read once before it is measured, so it is cached.

    `pages` are those that the row of pages measures, None for all.
    """

    def __init__(
        self,
        store: Store,
        sizes: Sizes,
        rounds: int,
        clock: Clock,
        say: Callable[[str], None],
        pages: list[str] | None = None,
    ) -> None:
        self.store = store
        self.sizes = sizes
        self.rounds = rounds
        self.clock = clock
        self.say = say
        self.pages = pages
        self._openings: dict[str, dict[str, Samples]] = {}
        self._indexes: dict[str, tuple[Path, Any]] = {}
        self._warm: set[str] = set()

    @property
    def main(self) -> Made:
        """The large `improve` workspace."""
        return self.made("improve", self.sizes.main)

    @property
    def tenth(self) -> Made:
        """An `improve` workspace of a tenth of its size."""
        return self.made("improve", self.sizes.main // 10)

    @property
    def million(self) -> Made:
        """An `improve` workspace of a million judgments."""
        return self.made("improve", self.sizes.million)

    def made(self, family: str, gradings: int) -> Made:
        """Return a workspace of a family, generated if it is missing and there is time.

        Raises:
            OutOfTime: there is none.
        """
        self.limit()
        return self.store.get(family, gradings)

    def limit(self) -> float:
        """Return the remaining seconds.

        Raises:
            OutOfTime: none are.
        """
        left = self.clock.left()
        if left <= 0:
            raise OutOfTime
        return left

    def compare(self, ways: dict[str, Way], rounds: int | None = None) -> dict[str, Samples]:
        """Measure ways against each other."""
        self.limit()
        return interleaved(ways, min(rounds or self.rounds, self.rounds), self.clock, self.say)

    def empty(self) -> Path:
        """Return an index folder that holds nothing."""
        return self.store.folder("no-index")

    def way(self, method: str, made: Made, before: Callable[[], Path], **more: Any) -> Way:
        """Return one method on one workspace, whose files are in the page cache by then."""
        asked = {"root": str(made.root)}
        if made.name not in self._warm:
            self._warm.add(made.name)
            self.say(f"reading {made.name} once")
            process.run("R", asked, cache=self.empty(), limit=self.limit())
        return Way(method, {**asked, **more}, before)

    def indexed(self, made: Made) -> Path:
        """Return a folder with the index of a workspace, made by its first open."""
        return self._index(made)[0]

    def first_answer(self, made: Made) -> Any:
        """Return the result of the first open of a workspace."""
        return self._index(made)[1]

    def forget(self, made: Made) -> None:
        """Drop the index of a workspace whose files have changed."""
        self._indexes.pop(made.name, None)

    def _index(self, made: Made) -> tuple[Path, Any]:
        if made.name not in self._indexes:
            folder = self.store.folder(f"index-{made.name}")
            self.say(f"indexing {made.name}")
            asked = {"root": str(made.root)}
            sample = process.run("first open", asked, cache=folder, limit=self.limit())
            self._indexes[made.name] = folder, sample.answer
        return self._indexes[made.name]

    def openings(self, made: Made, **more: Any) -> dict[str, Samples]:
        """Return the samples of first opens beside R, measured once a workspace."""
        if made.name not in self._openings:
            ways = {
                "R": self.way("R", made, self.empty),
                "first open": self.way("first open", made, self.empty, **more),
            }
            self._openings[made.name] = self.compare(ways)
        return self._openings[made.name]
