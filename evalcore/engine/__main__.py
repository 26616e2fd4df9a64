"""`python -m evalcore.engine ID [LOCK [CLUSTER]]`: the process of a run."""

import sys

from evalcore.engine.process import work
from evalcore.errors import EvalcoreError

if __name__ == "__main__":
    name, *more = sys.argv[1:4]
    try:
        work(name, int(more[0]) if more else None, more[1] if len(more) > 1 else None)
    except (EvalcoreError, OSError) as error:
        sys.exit(str(error))
