"""Where run folders stand; the folders `run-1`, `run-2` of one configuration are looked at once."""

from sys import intern
from typing import Final

from evalcore.layouts.iterations import RunLocation, run_location

_NUMBER: Final = "987654321"


class RunLocations:
    """Gives the place of each of many folders, as `run_location` does."""

    def __init__(self) -> None:
        self._alike: dict[str, RunLocation | None] = {}

    def of(self, folder: str) -> RunLocation | None:
        """Return where a run's folder stands, or None when the path says nothing about it."""
        above, _, name = folder.rpartition("/")
        number = name[4:]
        if not (name.startswith("run-") and number.isascii() and number.isdecimal()):
            return run_location(folder)
        if above not in self._alike:
            self._alike[above] = _alike(above)
        alike = self._alike[above]
        if alike is None:
            return run_location(folder)
        container, version, eval_folder, configuration, of_configuration, _, _ = alike
        return RunLocation(
            container, version, eval_folder, configuration, of_configuration, intern(number), folder
        )


def _alike(above: str) -> RunLocation | None:
    """Return the place of a numbered run in a folder; None where its name says more than that."""
    at = run_location(f"{above}/run-{_NUMBER}")
    if at is None or at.run != _NUMBER:
        return None
    return at if max(len(at.configuration_folder), len(at.eval_folder)) <= len(above) else None
