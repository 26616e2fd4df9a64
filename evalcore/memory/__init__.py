"""What is remembered of quality: benchmark runs, what follows from them, decisions on versions."""
