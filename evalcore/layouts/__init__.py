"""Where documents lie: path to suite, case, version, configuration and run."""
