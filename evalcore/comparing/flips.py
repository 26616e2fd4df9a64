"""Why a verdict flipped: because the output changed, or because the judge decided differently."""

from evalcore.comparing.model import Side, Source
from evalcore.counting.digests import output_digest


def flip_source(a: Side, b: Side, run_a: str, run_b: str) -> Source:
    """Return why two runs (ids) of one case have different verdicts, as far as their files tell.

    Equal outputs with different verdicts are due to the judge, different outputs to the version. It
    opens the files of both runs, so use it for one case or one page of cases.
    """
    one, two = output_digest(a.ws, run_a), output_digest(b.ws, run_b)
    if one is None or two is None:
        return "unknown"
    return "judge" if one == two else "version"
