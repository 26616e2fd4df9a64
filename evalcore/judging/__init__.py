"""Human judging: review queue, judging tasks and durable judgment records."""
