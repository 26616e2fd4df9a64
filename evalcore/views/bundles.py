"""What pages say of a folder that is an opened bundle."""

from pathlib import Path
from shlex import quote
from typing import NamedTuple

from evalcore.bundles.unpacked import unpacked_at
from evalcore.views.words.wording import count, open_study_runs


class BundleWords(NamedTuple):
    """Sentences on a bundle, and the command that writes a reply; None where nothing is judged."""

    sentences: tuple[str, ...]
    reply: str | None


def bundle_words(root: Path) -> BundleWords | None:
    """Return what is to be said of a bundle; None for any other folder."""
    found = unpacked_at(root)
    if found is None:
        return None
    manifest = found.manifest
    suites = count(len(manifest.suites), "suite")
    said = [f"Made of “{manifest.workspace}”, {suites}, by {manifest.made_by}. It is read-only."]
    if manifest.hidden_runs:
        said.append(f"Not in it: {open_study_runs(manifest.hidden_runs, then=True)}.")
    if not manifest.outputs:
        said.append(
            "The output files of the runs are not in it, so they cannot be judged here. Ask for a "
            "bundle made with --with-outputs."
        )
        return BundleWords(tuple(said), None)
    said.append("What you judge here is kept beside it. Send it back as a reply:")
    command = f"evalcore bundle --reply {quote(str(root))} --out reply.evc.zip"
    return BundleWords(tuple(said), command)
