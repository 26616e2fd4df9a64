"""`python -m evalcore.engine ID [LOCK]`: the process of a run."""

import sys

from evalcore.engine.process import work
from evalcore.errors import EvalcoreError

if __name__ == "__main__":
    try:
        work(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else None)
    except (EvalcoreError, OSError) as error:
        sys.exit(str(error))
