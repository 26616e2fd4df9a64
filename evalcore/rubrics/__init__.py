"""Statistics of criteria: per version and configuration, over cases, with their distribution."""
