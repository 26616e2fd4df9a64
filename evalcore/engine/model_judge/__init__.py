"""A model as judge: what it is asked, how its answer is read, and the verdicts that follow."""
