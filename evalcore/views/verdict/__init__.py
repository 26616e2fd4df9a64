"""The verdict of a comparison in words: sentence, method and limits."""
