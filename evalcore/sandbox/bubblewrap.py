"""Run what a workspace names in a sandbox: no network, no secrets, read-only, within limits."""

import os
import platform
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.temporary import NOBODY
from evalcore.sandbox.child import Ended, not_started, program_path, run
from evalcore.sandbox.copies import copied_for_nobody, give_to_nobody, replaced_by
from evalcore.sandbox.environment import USUAL_PATH
from evalcore.sandbox.inside import Inside
from evalcore.sandbox.syscalls import MACHINES, call_filter

WORK: Final = Path("/work")
SKILL: Final = Path("/skill")
GIVEN: Final = Path("/given")
SCRIPT: Final = Path("/script")

_HOST_PATH: Final = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_HOST: Final = {"PATH": _HOST_PATH, "LANG": "C.UTF-8"}
_LINKS: Final = ("bin", "sbin", "lib", "lib32", "lib64", "libx32")
_OPEN_FILES: Final = 256
_TRY_SECONDS: Final = 10.0
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
# It says that the sandbox is set up, and waits until the other end of the handle lets it go on.
_BEGIN: Final = f"""
if [ -d {GIVEN} ]; then cp -a {GIVEN}/. {WORK} || exit; fi
door=$1; shift
echo >&$door && read -r -u $door && exec "$@" {{door}}>&-
"""


class Limits(NamedTuple):
    """What a sandboxed program may use, with all that it starts; CPU time is of each process.

    Its files are held in memory, beside what its processes use.
    """

    seconds: float = 60.0
    memory: int = 2 * 1024**3
    """Of all processes together, and the address space of each."""
    processes: int = 256
    file_bytes: int = 64 * 1024**2
    """Of one file, of all in /tmp together, and of all in /dev/shm together."""
    folder_bytes: int = 512 * 1024**2
    """Of all files together in /work, where that is writable."""
    output_bytes: int = 1024**2
    """Of each stream so much is kept."""
    cpu_seconds: int = 30


class Mount(NamedTuple):
    """An open folder outside, and where it is seen inside, read-only."""

    source: int
    target: Path


@cache
def missing() -> str | None:
    """Return a sentence why there is no sandbox on this machine; None: it works.

    It is tried once, by running a harmless script in it.
    """
    if sys.platform != "linux":
        return "The sandbox needs Linux: it is made by bubblewrap."
    if platform.machine() not in MACHINES:
        known = " and ".join(MACHINES)
        return f"The sandbox knows the system calls of {known} only, not of {platform.machine()}."
    for program in ("bwrap", "prlimit", "setpriv", "bash"):
        if program_path(program, _HOST_PATH) is None:
            package = {"bwrap": "bubblewrap", "bash": "bash"}.get(program, "util-linux")
            return f"The sandbox needs {program}, which is not installed: install {package}."
    ended = _run(["bash", "-c", "true | true"], [], Limits(seconds=_TRY_SECONDS), lambda: False)
    if ended.how == "exited" and ended.code == 0:
        return None
    return f"{ended.why} It needs user namespaces, which this system or its container may forbid."


def run_script(
    script: bytes,
    *,
    files: Path,
    script_files: Path | None = None,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    stopped: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run exactly these bytes by bash in the sandbox, with `files` read-only at /work.

    `script_files` is read-only at /skill, which the variable SKILL says; /tmp is writable, and gone
    afterwards. Standard input is empty. A code above 128 is a signal. As root it runs as nobody, on
    copies of the folders; else a unix socket in them could be connected to. `not_started` says why
    there is no sandbox; nothing has run then.
    """
    if reason := missing():
        return not_started(reason)
    with ExitStack() as stack:
        try:
            data = stack.enter_context(_in_memory("script", script))
            mounts = [Mount(stack.enter_context(_readable(files)), WORK)]
            if script_files is not None:
                mounts.append(Mount(stack.enter_context(_readable(script_files)), SKILL))
        except OSError as error:
            return not_started(f"The sandbox could not be prepared: {error}.")
        options = ["--perms", "0444", "--ro-bind-data", str(data), str(SCRIPT)]
        if script_files is not None:
            options += ["--setenv", "SKILL", str(SKILL)]
        command = ["bash", str(SCRIPT)]
        return _run(command, mounts, limits, stopped, options=options, handles=[data])


def run_command(
    command: Sequence[str],
    *,
    folder_rw: Path,
    limits: Limits = Limits(),  # noqa: B008 - immutable
    stdin: bytes = b"",
    stopped: Callable[[], bool] = lambda: False,
) -> Ended:
    """Run an allowed command in the sandbox, with a copy of `folder_rw` as its folder /work.

    What it leaves there replaces what is in `folder_rw`, however it ended; what it made unreadable,
    and pipes and sockets, are left out. As root it runs as nobody, to whom `folder_rw` and all in
    it is given first; nobody has to reach it by its path.

    Raises:
        OSError: `folder_rw` cannot be written, or its disk is full.
    """
    if reason := missing():
        return not_started(reason)
    with ExitStack() as stack:
        try:
            given = stack.enter_context(_opened(folder_rw))
            if os.geteuid() == 0:
                give_to_nobody(given)
        except OSError as error:
            return not_started(f"The sandbox could not be prepared: {error}.")
        mounts = [Mount(given, GIVEN)]
        return _run(command, mounts, limits, stopped, stdin=stdin, back=folder_rw)


def _run(
    command: Sequence[str],
    mounts: Sequence[Mount],
    limits: Limits,
    stopped: Callable[[], bool],
    *,
    options: Sequence[str] = (),
    handles: Sequence[int] = (),
    stdin: bytes = b"",
    back: Path | None = None,
) -> Ended:
    """Run a command, and tell a sandbox that could not be made from a command that failed.

    What /work holds then is put `back` where that is a folder.
    """
    sizes = {"/tmp": limits.file_bytes, "/dev/shm": limits.file_bytes}  # noqa: S108 - inside
    if back is not None:
        sizes[str(WORK)] = limits.folder_bytes
    calls = call_filter(platform.machine())
    with _in_memory("calls", calls) as seccomp, Inside(limits.memory, sizes) as inside:
        options = [*options, "--seccomp", str(seccomp)]
        ended = run(
            _bwrap(command, mounts, limits, sizes, inside.door, options),
            cwd=Path("/"),
            env=_HOST,
            stdin=stdin,
            seconds=limits.seconds,
            max_output=limits.output_bytes,
            stopped=stopped,
            exceeded=inside.exceeded,
            pass_fds=[*(mount.source for mount in mounts), *handles, seccomp, inside.door],
        )
        if not inside.began and ended.how in ("timeout", "stopped"):
            return ended
        if not inside.began:
            said = (ended.how == "exited" and _last_line(ended.stderr)) or ended.why
            return not_started(f"The sandbox could not be prepared: {said.rstrip('.')}.")
        # A full folder is said to the program by the system; it may have made do with it.
        if ended.how == "exited" and ended.code != 0 and (full := inside.full()):
            ended = ended._replace(how="exceeded", why=f"{ended.why} {full}")
        why = "" if back is None else replaced_by(inside.folders[str(WORK)], back)
        if why and ended.how == "exited":
            ended = ended._replace(how="exceeded", why=why)
    return ended


def _bwrap(
    command: Sequence[str],
    mounts: Sequence[Mount],
    limits: Limits,
    sizes: Mapping[str, int],
    door: int,
    options: Sequence[str],
) -> list[str]:
    """Return the command line of the sandbox, to be run in an environment without secrets."""
    as_nobody = [
        "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs",
    ]  # fmt: skip
    writable = [("--size", str(size), "--tmpfs", folder) for folder, size in sizes.items()]
    return [
        # The limit of processes does not bind root.
        *(as_nobody if os.geteuid() == 0 else ()),
        "bwrap",
        *("--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", "--uid", str(NOBODY), "--gid", str(NOBODY)),
        *(["--disable-userns"] if "--disable-userns" in _offered() else []),
        *("--hostname", "sandbox", "--die-with-parent", "--new-session", "--cap-drop", "ALL"),
        *("--clearenv", "--setenv", "PATH", USUAL_PATH, "--setenv", "HOME", "/tmp"),  # noqa: S108 - inside
        *("--setenv", "LANG", "C.UTF-8", "--ro-bind", "/usr", "/usr", *_system()),
        *("--proc", "/proc", "--dev", "/dev"),
        *(part for folder in writable for part in folder),
        # Its /dev would be writable without a limit.
        *("--remount-ro", "/dev"),
        *(part for mount in mounts for part in _mounted(mount)),
        *options,
        *("--remount-ro", "/", "--chdir", str(WORK) if mounts else "/", "--"),
        *("bash", "-c", _BEGIN, "bash", str(door)),
        # Inside, where its processes are counted apart from all others of this user.
        *("prlimit", f"--nproc={limits.processes}", f"--nofile={_OPEN_FILES}", "--core=0"),
        *(f"--fsize={limits.file_bytes}", f"--as={limits.memory}", f"--cpu={limits.cpu_seconds}"),
        *("--", *command),
    ]


def _system() -> Iterator[str]:
    """Yield the options for what a program needs beside /usr."""
    for name in _LINKS:
        place = Path("/", name)
        if place.is_symlink():
            yield from ("--symlink", str(place.readlink()), str(place))
        elif place.is_dir():
            yield from ("--ro-bind", str(place), str(place))
    for path in ("/etc/alternatives", "/etc/ld.so.cache"):
        yield from ("--ro-bind-try", path, path)


def _mounted(mount: Mount) -> Iterator[str]:
    """Yield the options of a mount; of a handle, bubblewrap checks that it got that folder."""
    if "--ro-bind-fd" in _offered():
        yield from ("--ro-bind-fd", str(mount.source), str(mount.target))
    else:
        path = Path(f"/proc/self/fd/{mount.source}").readlink()
        yield from ("--ro-bind", str(path), str(mount.target))


@cache
def _offered() -> frozenset[str]:
    """Return the options that the bubblewrap of this machine knows."""
    ended = run(["bwrap", "--help"], cwd=Path("/"), env=_HOST, seconds=_TRY_SECONDS)
    return frozenset(re.findall(r"--[a-z-]+", (ended.stdout + ended.stderr).decode()))


@contextmanager
def _opened(folder: Path) -> Iterator[int]:
    handle = os.open(folder, _FOLDER | os.O_NOFOLLOW)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _readable(folder: Path) -> Iterator[int]:
    """Yield a handle of a folder, or of its copy for nobody when this is root."""
    with ExitStack() as stack:
        handle = stack.enter_context(_opened(folder))
        if os.geteuid() == 0:
            copy = stack.enter_context(copied_for_nobody(handle))
            handle = stack.enter_context(_opened(copy))
        yield handle


@contextmanager
def _in_memory(name: str, data: bytes) -> Iterator[int]:
    """Yield a handle of a file that has no name, at its beginning."""
    with os.fdopen(os.memfd_create(name), "w+b") as file:
        file.write(data)
        file.seek(0)
        yield file.fileno()


def _last_line(data: bytes) -> str:
    lines = data.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""
