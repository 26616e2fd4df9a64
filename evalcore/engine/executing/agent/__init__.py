"""The executor `openai`: a model carries out cases by tools that see the case's folder only."""
