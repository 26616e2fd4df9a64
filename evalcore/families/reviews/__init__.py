"""What people said of runs: records in the `reviews` folder of a suite, whatever its family."""
