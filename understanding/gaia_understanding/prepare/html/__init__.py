"""HTML mail as a reader sees it: visible text, hidden text, quoted text, links, trackers. Entry: `read.read_html`."""
