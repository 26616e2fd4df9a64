"""Hold one side against another: what is comparable, the verdict, and which cases changed."""
