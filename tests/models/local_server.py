"""`python -m tests.models.local_server MODEL`: serve a model file, and print the address.

The server is llama.cpp's own. It ends when its standard input is closed, however its starter ends.
"""

import sys

CONTEXT = 4096
THREADS = 1


def main() -> None:
    """Serve on a free port of this machine."""
    import xllamacpp  # noqa: PLC0415 - an extra of its own

    asked = xllamacpp.CommonParams()
    asked.model.path = sys.argv[1]
    asked.n_ctx, asked.n_parallel, asked.port = CONTEXT, 1, 0
    asked.cpuparams.n_threads = asked.cpuparams_batch.n_threads = THREADS
    asked.hostnames, asked.ui = ["127.0.0.1"], False
    server = xllamacpp.Server(asked)
    print(server.listening_address, flush=True)  # noqa: T201 - who started it waits for this
    sys.stdin.read()


if __name__ == "__main__":
    main()
