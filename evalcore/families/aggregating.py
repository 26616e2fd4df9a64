"""The interface of a family for writing its aggregate documents."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, Protocol

from evalcore.disk.files import Files
from evalcore.families.base import is_review
from evalcore.proposals.proposal import Proposal
from evalcore.tables.cells import Mask, holds
from evalcore.tables.snapshot import Tables


class Noted(NamedTuple):
    """People's notes about one run: texts, time of the latest, and texts corrected since."""

    texts: tuple[str, ...]
    at: str
    former: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All texts, one below the other."""
        return "\n\n".join(self.texts)


class Propose(Protocol):
    """Yields proposals for the documents of a suite, or of one version of it."""

    def __call__(  # noqa: D102 - the class says it
        self, tables: Tables, files: Files, suite: str, version: str | None, *, replace: bool
    ) -> Iterator[Proposal]: ...


NotesFile = Callable[
    [Tables, Files, str, str | None, Mapping[str, Noted], str],
    list[Proposal],
]
"""What shall become of the file that the family's loop reads people's notes from.

Asked with the tables, the files, the suite, a version, the notes by run id, and the time.
"""


class Aggregates(NamedTuple):
    """The writers of a family's aggregates; with `replace`, ones of another shape are replaced.

    `unassigned` is the version of runs without a document: while there are such runs, they can be
    written under a new version.
    """

    propose: Propose
    notes_file: NotesFile | None = None
    unassigned: str | None = None


def of_reviews(tables: Tables, table: str) -> Mask:
    """Return which rows of a table were read from a `reviews` folder."""
    source = tables.columns[table]["source"]
    words = [] if source.strings is None else source.strings.to_pylist()
    return holds(source, *filter(is_review, words))
