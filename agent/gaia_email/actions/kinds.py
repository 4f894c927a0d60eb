"""What kinds of actions there are, as the ledger's `action_type` names them."""

from __future__ import annotations

from gaia_email.policy.levels import BY_TRIAGE as BY_TRIAGE

ARCHIVE, LABEL = "archive", "label_add"
JUNK = "junk"
"""Into the provider's folder for spam, out of the inbox."""

TRASH = "trash"
"""Into Trash, from where the provider deletes it after a while."""

MOVE = "move"
"""To another folder or label, out of the inbox; or back into the inbox."""

MARKS = {"read": "mark_read", "unread": "mark_unread", "starred": "star", "unstarred": "unstar"}
"""The action that marks a message so."""

SNOOZE, WAKE = "snooze", "wake"
UNSUBSCRIBE = "unsubscribe"

SEND = "send"
"""Mail that went out, such as an answer from a template."""

DRAFT = "draft"
"""A reply kept as a draft, which goes to nobody until the user sends it."""

MAKE_LABEL = "label_create"
"""A label of ours; when other things are undone it goes as soon as no message carries it."""

UNDO = "undo"
"""Taking another action back; the payload names it as `of`."""

NOT_UNDONE = (UNDO, MAKE_LABEL, DRAFT)
"""What is passed over when a run, a session or a time is taken back."""
