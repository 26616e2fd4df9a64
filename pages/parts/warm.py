"""Preload the statistics libraries while the browser opens."""

from threading import Thread

from evalcore.statistics.intervals import mean_interval


def warm_up() -> None:
    """Import the statistics libraries in the background, so that the first verdict comes sooner."""
    Thread(target=mean_interval, args=((0.0, 1.0),), name="warm-up", daemon=True).start()
