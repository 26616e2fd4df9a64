"""`python -m evalcore.engine ID`: the process of a run."""

import sys

from evalcore.engine.process import work
from evalcore.errors import EvalcoreError

if __name__ == "__main__":
    try:
        work(sys.argv[1])
    except EvalcoreError as error:
        sys.exit(str(error))
