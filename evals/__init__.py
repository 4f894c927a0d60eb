"""Training and scoring what `gaia email` has learned: label guide, labelled messages, trainer, scorecard."""
