"""Runs that failed or did not finish: why, how badly, what resolved it, and shared causes."""
