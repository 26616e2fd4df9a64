"""What a judge is shown in a blind study, and what is said of studies."""
