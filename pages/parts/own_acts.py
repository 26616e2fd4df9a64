"""What was done in this session: pages show it without being asked to, unlike what others did."""

from dataclasses import dataclass, field

from evalcore.engine.store import RunFolder
from pages.parts.session_state import session_object
from pages.parts.state import ReaderWorkspace


@dataclass
class OwnActs:
    """What this session did that the snapshot on screen may not have.

    `stored` counts what was stored here, `shown` how much of it is on screen. What `waits` is
    shown by the next page, and so is what the `runs` wrote that were started here.
    """

    stored: int = 0
    shown: int = 0
    waits: bool = False
    runs: list[RunFolder] = field(default_factory=list)

    def take_in(self, reader: ReaderWorkspace, *, turned: bool) -> bool:
        """Show what was done here, and where another page was `turned` to all there is.

        Return whether the snapshot on screen may be another one now.
        """
        stored, runs = self.stored, list(self.runs)
        writing = [run for run in runs if run.is_worked_on()]
        if stored > self.shown or (turned and (self.waits or runs)):
            reader.live.take_in()
        elif not turned:
            return False
        reader.show_newest()  # a second click may end this run here: the next one takes it in
        self.shown = max(self.shown, stored)
        if turned:
            self.waits = False
            self.runs = [run for run in self.runs if run in writing or run not in runs]
        return True


def stored_here() -> None:
    """Remember that something was stored, which this page shows at once."""
    session_object(OwnActs).stored += 1


def stored_for_later() -> None:
    """Remember that something was stored, which the next page shows: this one stays as it is."""
    session_object(OwnActs).waits = True


def waits_for_own() -> bool:
    """Return whether something was stored here that this page is to show."""
    acts = session_object(OwnActs)
    return acts.stored > acts.shown


def start_here(run: RunFolder) -> None:
    """Start a run, or go on with it; the next page shows what it wrote.

    Raises:
        CannotRun: a process works on it already.
    """
    from evalcore.engine.process import start  # noqa: PLC0415 - no page that starts nothing waits

    acts = session_object(OwnActs)
    start(run)
    acts.runs.append(run)
