"""Speed and memory as ratios against a peer or a floor measured in the same run. Entry: `python -m benchmarks`."""
