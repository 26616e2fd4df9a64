"""Blocks of a run's evidence."""

from collections.abc import Iterable, Sequence

from evalcore.problems import Problem, Severity
from evalcore.views.blocks.base import Block, Labelled, Part


class Prompt(Block, frozen=True, tag="prompt"):
    """A long text under its label, clamped until it is expanded."""

    label: str
    text: str


class Facts(Block, frozen=True, tag="facts"):
    """Facts as (name, words, whether it is known)."""

    facts: Sequence[tuple[str, str, bool]]
    wide: bool = False


class Source(Block, frozen=True, tag="source"):
    """The place of a document, to copy."""

    label: str
    path: str
    pointer: str


def source_block(label: str, path: str, pointer: str | None) -> Source:
    """Return the place of a document."""
    return Source(label, path, pointer or "")


class Fault(Block, frozen=True, tag="problem"):
    """A fault of a document, next to the value it concerns."""

    severity: Severity
    code: str
    message: str
    hint: str | None


def fault(problem: Problem) -> Fault:
    """Describe a fault of a document."""
    return Fault(problem.severity, problem.code, problem.message, problem.hint)


class Note(Block, frozen=True, tag="note"):
    """A remark: a title, texts, and small words beside it."""

    title: str
    texts: Sequence[Labelled] = ()
    mark: str | None = None
    word: str = ""
    tags: Sequence[str] = ()


def note(
    title: str,
    text: str | None,
    mark: str | None = None,
    word: str = "",
    tags: Iterable[str | None] = (),
) -> Note:
    """Describe a remark with one text or none; tags that are None are left out."""
    texts = [Labelled("", text)] if text else []
    return Note(title, texts, mark, word, [tag for tag in tags if tag])


class Lines(Block, frozen=True, kw_only=True, tag="lines"):
    """The exact text of a file from line `first` on; `line` is the requested one."""

    label: str
    message: str
    text: str
    first: int = 1
    line: int | None = None


class OutputExcerpt(Block, frozen=True, kw_only=True, tag="excerpt"):
    """An excerpt of an output file, and its position; every second text is what is quoted."""

    label: str
    name: str
    path: str
    where: str
    line: int
    texts: Sequence[str]


class Scale(Part, frozen=True):
    """A short scale of whole numbers: its steps, those reached, the last that does not pass."""

    label: str
    steps: int
    reached: int
    limit: int | None


class Quote(Part, frozen=True, kw_only=True, omit_defaults=True):
    """A passage that a judge quotes, and its location; no path if it was not found.

    `steps` says that it may stand in the run's steps, which nobody has read yet.
    """

    quote: str
    path: str | None
    line: int | None
    location: str | None
    how: str
    steps: bool = False


class Person(Part, frozen=True, kw_only=True):
    """The score of one person, or of what judged it again; `old` are the ones corrected since."""

    who: str
    mark: str
    score: str
    about: Sequence[str]
    stale: str
    texts: Sequence[Labelled]
    old: Sequence[Labelled]
    olds: str


class JudgedItem(Block, frozen=True, kw_only=True, tag="item"):
    """One criterion as it was judged; `key` is `kind:criterion`."""

    key: str
    mark: str
    word: str
    title: str
    criterion: str
    score: str
    scale: Scale | None
    tags: Sequence[str]
    anchor: str | None
    texts: Sequence[Labelled]
    quotes: Sequence[Quote]
    people: Sequence[Person]
