"""Sign bundles, and check signatures, with OpenSSH's ssh-keygen: only where somebody asks for it.

A signature is of the manifest, which has the sha256 of every file. The keys are those that sign
commits, and a file of allowed signers is that of git.
"""

from pathlib import Path
from typing import Final, NamedTuple

from evalcore.disk.temporary import temporary_folder
from evalcore.errors import CannotBundle
from evalcore.sandbox.child import Ended, run
from evalcore.sandbox.environment import clean_environment

NAMESPACE: Final = "evalcore-bundle"
"""A signature of anything else, such as a commit, is none of a bundle."""
MAX_SIGNATURE: Final = 64 * 1024
_SECONDS: Final = 60.0


class Key(NamedTuple):
    """A private key, or the public one of a key that ssh-agent holds."""

    file: Path

    def signed(self, data: bytes) -> bytes:
        """Return a signature of some bytes.

        Raises:
            CannotBundle: it cannot be made; the message says what ssh-keygen said.
        """
        if not self.file.is_file():
            raise CannotBundle(f"There is no key {self.file}. Name the file of a private SSH key.")
        ended = _ssh_keygen("sign", "-f", str(self.file.absolute()), data=data)
        if ended.code != 0 or not ended.stdout:
            said = ended.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise CannotBundle(
                f"It could not be signed with {self.file}: {said[:300] or ended.why}. A key with a "
                "passphrase has to be in ssh-agent; then name its .pub file."
            )
        return ended.stdout


def signer(data: bytes, signature: bytes, allowed: Path) -> str | None:
    """Return the name of the allowed signer who signed some bytes; None if nobody did.

    Raises:
        CannotBundle: the file of allowed signers, or ssh-keygen, is not there.
    """
    if not allowed.is_file():
        raise CannotBundle(
            f"There is no file {allowed}. Name a file of allowed signers: a line `NAME KEY` each."
        )
    with temporary_folder("signature") as folder:
        place = folder / "signature"
        place.write_bytes(signature)
        signers = ("-s", str(place), "-f", str(allowed.absolute()))
        found = _ssh_keygen("find-principals", *signers)
        for name in found.stdout.decode("utf-8", "replace").splitlines():
            if _ssh_keygen("verify", *signers, "-I", name, data=data).code == 0:
                return name
    return None


def _ssh_keygen(work: str, *options: str, data: bytes = b"") -> Ended:
    command = ("ssh-keygen", "-q", "-Y", work, "-n", NAMESPACE, *options)
    environment = clean_environment(("SSH_AUTH_SOCK",))
    ended = run(command, cwd=Path("/"), env=environment, stdin=data, seconds=_SECONDS)
    if ended.how == "not_started":
        raise CannotBundle(f"{ended.why} Signing needs OpenSSH's ssh-keygen; install it.")
    return ended
