"""Why a verdict flipped: because the output is another, or because the judge says otherwise."""

from evalcore.comparing.model import Side, Source
from evalcore.counting.digests import output_digest


def flip_source(a: Side, b: Side, run_a: str, run_b: str) -> Source:
    """Return what made two runs (ids) of one case end differently, as far as files tell.

    The same output with another verdict is the judge; another output is the version. It opens the
    files of both runs, so it is for one case, or one page of cases.
    """
    one, two = output_digest(a.ws, run_a), output_digest(b.ws, run_b)
    if one is None or two is None:
        return "not told"
    return "judge" if one == two else "version"
