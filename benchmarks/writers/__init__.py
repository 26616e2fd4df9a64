"""One module a family: its documents as a careful team would have written them."""
