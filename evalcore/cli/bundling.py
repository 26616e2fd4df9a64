"""`evalcore bundle`: write a bundle, reply to one, and take a reply."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from evalcore import __version__
from evalcore.bundles.content import Content, content
from evalcore.bundles.making import About, plain_name, write_bundle
from evalcore.bundles.manifest import Manifest
from evalcore.bundles.replies import reply_content, take
from evalcore.bundles.signing import Key
from evalcore.bundles.unpacked import unpacked_at
from evalcore.bundles.unpacking import unpack
from evalcore.cli.answering import Answer
from evalcore.cli.opening import is_bundle, open_for_judge, suites_of
from evalcore.cli.screen import progress
from evalcore.cli.writing import require_new
from evalcore.disk.creating import why
from evalcore.disk.unfinished import unfinished_beside
from evalcore.errors import CannotBundle, CannotWrite
from evalcore.judging.hiding import hidden_for_readers, workspace_for_readers
from evalcore.judging.storing.judges import known_judges
from evalcore.report.content import Asked
from evalcore.report.content import content as report_of
from evalcore.report.file import report_file
from evalcore.views.charts.caption import stem
from evalcore.views.words.wording import count, open_study_runs

MADE_BY = f"evalcore {__version__}"


class Target(NamedTuple):
    """Where a bundle is written, and the key that signs it."""

    out: Path | None
    sign: Path | None
    force: bool


def require_alone(option: str, *others: object) -> None:
    """Raise `CannotBundle` if something is asked for that does not go with an option."""
    if any(each is not None for each in others):
        raise CannotBundle(
            f"Not all of that goes with {option}. Write a bundle: PATH --out FILE. Reply to one: "
            "--reply BUNDLE --out FILE. Take a reply: --take REPLY PATH."
        )


def write(path: Path | None, suite: str | None, to: Target, *, with_outputs: bool) -> Answer:
    """Write a bundle of a folder.

    Runs of blind studies that are open are not in it, as whoever reads it may still judge them, and
    neither is what is hidden from the judge of this machine.

    Raises:
        CannotBundle: nothing is named to send, it is too much, or it cannot be signed.
        CannotWrite: the file exists, or cannot be written.
        UnknownName: there is no such suite.
    """
    if path is None:
        raise CannotBundle("Name the folder to bundle: evalcore bundle PATH --out FILE.evc.zip.")
    out = _require_out(to)
    whole = open_for_judge(path)
    ws = workspace_for_readers(whole)
    suites = suites_of(ws, suite)
    if not suites:
        raise CannotBundle(f"{path} has no suite. `evalcore check` says what was looked for.")
    found = content(ws, suites, outputs=with_outputs)
    reports = {}
    with progress("Writing reports") as step:
        for at, each in enumerate(suites):
            data = report_file(report_of(whole, Asked(each, outputs=with_outputs)))
            name = stem(ws.name, each, "report")
            reports[f"{name}-{at + 1}.html" if f"{name}.html" in reports else f"{name}.html"] = data
            step(at + 1, len(suites))
    about = About(
        kind="workspace",
        made_by=MADE_BY,
        workspace=plain_name(ws.name),
        outputs=with_outputs,
        hidden_runs=hidden_for_readers(whole, ws),
    )
    manifest = _write(out, ws.root, found, about, to, reports)
    lines = [
        _written(out, manifest),
        "The outputs of the runs are in it."
        if with_outputs
        else "The output files of the runs are not in it, so nobody can judge them: --with-outputs "
        "adds them. What documents quote of them is in it.",
    ]
    if manifest.hidden_runs:
        lines.append(f"Not in it: {open_study_runs(manifest.hidden_runs)}.")
    lines += [*manifest.left_out, f"To open it: evalcore open {out.name}"]
    return _answer(out, manifest, lines)


def write_reply(bundle: Path, to: Target) -> Answer:
    """Write the records that were made in a bundle, which is named by its file or its folder.

    Raises:
        BundleRefused: it is no whole and harmless bundle.
        CannotBundle: nothing was judged in it, or the reply cannot be signed.
        CannotWrite: the file exists, or cannot be written.
    """
    out = _require_out(to)
    unpacked = unpack(bundle) if is_bundle(bundle) else unpacked_at(bundle.absolute())
    if unpacked is None:
        raise CannotBundle(f"{bundle} is no bundle. Name the file that was sent to you.")
    found = reply_content(unpacked)
    about = About("reply", MADE_BY, unpacked.manifest.workspace, of=unpacked.digest)
    manifest = _write(out, unpacked.root, found, about, to, {})
    back = "Send it back; it is taken with: evalcore bundle --take"
    return _answer(
        out, manifest, [_written(out, manifest), *manifest.left_out, f"{back} {out.name} FOLDER"]
    )


def take_reply(path: Path | None, reply: Path, signers: Path | None) -> Answer:
    """Store what a reply holds in a folder; no if something of it was not stored.

    Raises:
        BundleRefused: it is no whole and harmless reply to a bundle of this folder.
        CannotWrite: a record cannot be written; taking it again stores the rest.
    """
    if path is None:
        raise CannotBundle("Name the folder too: evalcore bundle --take REPLY PATH.")
    if not reply.is_file():
        raise CannotBundle(f"There is no file {reply}. Name the reply that was sent to you.")
    taken = take(open_for_judge(path), reply, signers)
    by = ", ".join(f"{name} {number:,}" for name, number in sorted(taken.authors.items()))
    lines = [f"Stored: {count(taken.new, 'record')}{f' ({by})' if by else ''}."]
    if taken.known:
        lines.append(f"There already: {count(taken.known, 'record')}.")
    if taken.unattached:
        lines.append(
            f"{count(taken.unattached, 'record')} of them are about runs that are not in {path}; "
            "they count once the runs are there."
        )
    if own := [each.name for each in known_judges() if each.id in taken.authors]:
        lines.append(f"In the name of {', '.join(own)}, who judges on this machine: look at those.")
    if taken.signed_by is not None:
        trusted = f"The reply is signed by {taken.signed_by}."
    else:
        trusted = "The reply is complete and unchanged; that it is by those whom it names is not "
        trusted += "proved."
    lines += [*taken.refused, trusted]
    return Answer(lambda: {"schema": 1, **taken._asdict()}, lines, code=1 if taken.refused else 0)


def _require_out(to: Target) -> Path:
    if to.out is None:
        raise CannotBundle("Say where to write it: --out FILE.evc.zip.")
    if to.out.suffix.lower() != ".zip":
        raise CannotWrite(to.out, "its name must end in .zip, best in .evc.zip")
    require_new(to.out, force=to.force)
    return to.out


def _write(
    out: Path,
    root: Path,
    found: Content,
    about: About,
    to: Target,
    reports: Mapping[str, bytes],
) -> Manifest:
    """Write a bundle beside its place, and put it there when it is whole."""
    unfinished = out.with_name(unfinished_beside(out.name))
    key = None if to.sign is None else Key(to.sign)
    try:
        with progress("Writing the bundle"), unfinished.open("x+b") as file:
            manifest = write_bundle(file, root, found, about, reports, key)
        if to.force:
            unfinished.replace(out)
        else:
            os.link(unfinished, out)
    except FileExistsError:
        require_new(out, force=to.force)
        raise
    except OSError as error:
        raise CannotWrite(out, why(error)) from error
    finally:
        with suppress(OSError):
            unfinished.unlink()
    return manifest


def _written(out: Path, manifest: Manifest) -> str:
    files, size = len(manifest.files), out.stat().st_size
    unpacked = sum(each.size for each in manifest.files)
    said = f"{out} written: {count(files, 'file')}, {size / 1000:,.0f} KB"
    return f"{said}, {unpacked / 1000:,.0f} KB unpacked."


def _answer(out: Path, manifest: Manifest, lines: list[str]) -> Answer:
    document = {
        "schema": 1,
        "file": str(out),
        "bytes": out.stat().st_size,
        "files": len(manifest.files),
        "suites": [each.suite for each in manifest.suites],
        "outputs": manifest.outputs,
        "hidden_runs": manifest.hidden_runs,
        "left_out": list(manifest.left_out),
        "fingerprint": manifest.fingerprint,
    }
    return Answer(lambda: document, lines)
