"""The kinds of actions, as named by the ledger's `action_type`."""

from __future__ import annotations

from gaia_email.policy.levels import BY_TRIAGE as BY_TRIAGE

ARCHIVE, LABEL = "archive", "label_add"
JUNK = "junk"
"""Moved to the provider's spam folder, out of the inbox."""

TRASH = "trash"
"""Moved to Trash, from which the provider deletes it after a while."""

MOVE = "move"
"""Moved out of the inbox to another folder or label, or back into the inbox."""

MARKS = {"read": "mark_read", "unread": "mark_unread", "starred": "star", "unstarred": "unstar"}
"""The action for each mark."""

SNOOZE, WAKE = "snooze", "wake"
UNSUBSCRIBE = "unsubscribe"

SEND = "send"
"""Sent mail, such as an answer from a template."""

DRAFT = "draft"
"""A reply saved as a draft, to be sent only by the user."""

MAKE_LABEL = "label_create"
"""A label created by the agent; an undo removes it once no message has it."""

UNDO = "undo"
"""The undo of another action, which the payload names as `of`."""

NOT_UNDONE = (UNDO, MAKE_LABEL, DRAFT)
"""Actions that are skipped when a run, a session or a time range is undone."""
