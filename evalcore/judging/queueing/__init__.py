"""The review queue: runs to judge, their order and the reasons for it."""
