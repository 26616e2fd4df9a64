"""Agreement between judges, disagreements, and adjudication."""
