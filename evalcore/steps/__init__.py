"""What an agent did in a run: the steps of its transcript, whichever agent wrote it."""
