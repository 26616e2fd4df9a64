"""Which parts of a judgment's basis changed since: the output, the prompt or the criterion.

A record names the documents that worded the prompt and the criterion, as seen from the run's
grading: a path that does not depend on the folder that was opened. A wording is compared with what
the same document says now, because another folder, opened with or without `evals.json`, words a
prompt and a criterion from other documents although nothing was changed.
"""

from collections.abc import Callable, Collection, Mapping
from posixpath import basename, dirname, join, normpath, relpath
from typing import Final, Literal, NamedTuple

from evalcore.families.reviews.basis import criterion_sha256, prompt_sha256
from evalcore.families.reviews.lookup import Prompt
from evalcore.families.scoring import Criterion

Part = Literal["output", "prompt", "criterion"]
PROMPT: Final = "prompt"


class View(NamedTuple):
    """How documents are seen from a run: from the folder of its grading.

    `has` says whether the workspace has a file.
    """

    grading: str | None
    has: Callable[[str], bool]

    def source(self, document: str) -> str:
        """Return the path of a document of the workspace as seen from here."""
        return relpath(f"/{document}", f"/{dirname(self.grading or '')}")

    def lacks(self, source: str) -> bool:
        """Return whether a document, seen so, would lie in the workspace and does not."""
        path = normpath(join(dirname(self.grading or ""), source))
        return not path.startswith(("../", "/")) and not self.has(path)


class Wording(NamedTuple):
    """The current wording of a prompt or a criterion in a document, as seen from a run.

    `incomplete` returns the digests that older records state where that document was not known.
    """

    sha256: str
    document: str | None
    view: View
    incomplete: Callable[[], Collection[str]]

    @property
    def source(self) -> str | None:
        """The document as seen from the run's grading."""
        return None if self.document is None else self.view.source(self.document)


def prompt_wording(prompt: Prompt, view: View) -> Wording | None:
    """Return the wording of a case's prompt; None without one."""
    found = prompt_sha256(prompt.text, prompt.files)
    if found is None:
        return None
    return Wording(found, prompt.source, view, lambda: {prompt_sha256(prompt.text) or found})


def criterion_wording(of: Criterion, view: View) -> Wording:
    """Return the wording of a criterion that a document defines."""

    def undescribed() -> set[str]:
        """Return its digests as gradings alone mention it: without its description."""
        return {
            criterion_sha256(of.kind, of.name, described, low, high, anchors)
            for described in (None, of.name)
            for low, high in ((of.low, of.high), (None, None))
            for anchors in (None, of.guide)
        }

    own = criterion_sha256(of.kind, of.name, of.description, of.low, of.high, of.guide)
    return Wording(own, of.source, view, undescribed)


def changed(
    basis: Mapping[str, object],
    output: Callable[[], str | None],
    prompt: Wording | None,
    criterion: Wording | None,
) -> list[Part]:
    """Return the parts of a judgment's basis that changed since.

    Parts that the record does not state are not compared, nor those that are not known here (None):
    a prompt without a case, and a criterion that only gradings mention. `output` is called only if
    the record states one.
    """
    stated = basis.get("outputSha256")
    found: list[Part] = ["output"] if isinstance(stated, str) and stated != output() else []
    if _reworded(basis.get("promptSha256"), basis.get("promptSource"), prompt):
        found.append(PROMPT)
    if _reworded(basis.get("criterionSha256"), basis.get("criterionSource"), criterion):
        found.append("criterion")
    return found


def _reworded(stated: object, source: object, now: Wording | None) -> bool:
    """Return whether a text that was judged is worded otherwise now.

    A document of the same name takes the place of one that is gone: folders are renamed.
    """
    if not isinstance(stated, str) or now is None or stated == now.sha256:
        return False
    if not isinstance(source, str) or now.source is None:
        return stated not in now.incomplete()
    moved = basename(source) == basename(now.source) and now.view.lacks(source)
    return source == now.source or moved
