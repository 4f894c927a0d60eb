"""Words of signatures: closings, device lines, contact labels, titles, common given names (`data/signatures.txt`)."""

from __future__ import annotations

from gaia_mail.word_table import WordTable

_TABLE = WordTable("gaia_understanding.prepare", "signatures.txt")

STRONG_CLOSING = _TABLE.words("strong_closing")
WEAK_CLOSING = _TABLE.words("weak_closing")
CLOSING_FILLER = _TABLE.words("closing_filler")
CLOSING_PHRASES = frozenset(_TABLE.phrases("closing_phrases"))
"""Whole lines that are a closing if a name is below them; alone they may be what the sender wants to say."""
DEVICE_FREE = _TABLE.phrases("device_free")
"""Beginnings that make a short line a device line even with unknown words."""
DEVICE_NAMED = _TABLE.phrases("device_named")
"""Beginnings that make a device line with the name of a program that is not in `DEVICE_WORDS`."""
DEVICE_STARTS = _TABLE.phrases("device_starts")
DEVICE_ENDS = _TABLE.phrases("device_ends")
DEVICE_WORDS = _TABLE.phrases("device_words")
EXCUSES = _TABLE.phrases("excuses")
"""Text that may follow a comma in a device line: `Sent from my iPhone, please excuse typos`."""
TITLE_WORDS = _TABLE.words("title_words")
CONTACT_LABELS = _TABLE.words("contact_labels")
ADDRESS_WORDS = _TABLE.words("address_words")
NAME_PARTICLES = _TABLE.words("name_particles")
NOT_NAMES = _TABLE.words("not_names")
GIVEN_NAMES = _TABLE.words("given_names")
