"""The findings of the pass over an HTML mail. Entry: `HtmlFindings`."""

from __future__ import annotations

from gaia_understanding.prepare.html.conventions import ConventionKind
from gaia_understanding.prepare.html.hiding import HiddenRuns
from gaia_understanding.prepare.html.layout import Layout
from gaia_understanding.prepare.html.quoting import Region
from gaia_understanding.prepare.model import Link

MAX_REGIONS = 1_000
MAX_LINKS = 5_000
MAX_TRACKERS = 100
MAX_ALTS = 500

Attributes = dict[str, str | None]


class HtmlFindings:
    """Visible and hidden text, and everything else that the pass notes.

    Attributes:
        layout: Visible text.
        runs: Hidden text.
        regions: Parts of the text that markup sets apart, in order of their start.
        links: Visible links.
        trackers: Addresses of invisible images, each once.
        alts: Descriptions of visible images.
        json_ld: Texts of schema.org scripts.
        templates: True if there is a `template`, whose content the tree keeps apart.
        described: True if there is a `meta` with a description.
        speaking: True if there is an attribute that can contain sentences.
    """

    __slots__ = (
        "_quoted",
        "alts",
        "described",
        "json_ld",
        "layout",
        "links",
        "regions",
        "runs",
        "speaking",
        "templates",
        "trackers",
    )

    def __init__(self) -> None:
        self.layout = Layout()
        self.runs = HiddenRuns(self.layout)
        self.regions: list[Region] = []
        self.links: list[Link] = []
        self.trackers: dict[str, None] = {}
        self.alts: list[str] = []
        self.json_ld: list[str] = []
        self.templates = False
        self.described = False
        self.speaking = False
        self._quoted = 0

    def open_region(self, kind: ConventionKind, how: str) -> int | None:
        """Note that a region begins here; return its number for `close_region`, None if it has no end or is not kept.

        Inside a quote that is certain, nothing more is noted.
        """
        if len(self.regions) >= MAX_REGIONS or self._quoted:
            return None
        here = len(self.layout.pieces)
        self.regions.append(Region(kind=kind, how=how, start=here, end=here))
        if kind in {"cue", "rest"}:
            return None
        self._quoted += kind == "quote" and how != "blockquote"
        return len(self.regions) - 1

    def close_region(self, number: int) -> None:
        """Note that the region ends here."""
        region = self.regions[number]
        region.end = len(self.layout.pieces)
        self._quoted -= region.kind == "quote" and region.how != "blockquote"

    def add_link(self, text: str, url: str) -> None:
        """Note a visible link."""
        if len(self.links) < MAX_LINKS:
            self.links.append(Link(text, url))

    def add_tracker(self, url: str) -> None:
        """Note an image that cannot be seen."""
        if len(self.trackers) < MAX_TRACKERS:
            self.trackers.setdefault(url)
