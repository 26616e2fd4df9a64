"""Entry point of `python -m evalcore`."""

from evalcore.cli.main import run

run()
