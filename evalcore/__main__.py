"""Entry point of `evalcore` and of `python -m evalcore`."""

from evalcore.starting import leave_current_folder


def run() -> None:
    """Run the command line."""
    leave_current_folder()
    from evalcore.cli.main import run as command_line  # noqa: PLC0415 - not before that

    command_line()


if __name__ == "__main__":
    run()
