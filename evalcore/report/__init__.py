"""Reports: what the pages say of one suite as a single HTML file that needs nothing else."""
