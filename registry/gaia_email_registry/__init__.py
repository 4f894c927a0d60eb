"""The lowest layer: which mail tools exist, how risky they are, which settings and servers there are."""
