"""Start new test runs: plan them, execute and grade each, and write the suite's documents."""
