"""The documents of the `iterations` family and of `rubric`, which extends them."""
