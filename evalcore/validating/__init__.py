"""Trust in a model as judge: its judgments against people's, and rates corrected for its errors."""
