"""Changes mailboxes: plan, apply, undo; the only code that calls a write tool.

Entry point: `account_session.open_account_session`.
"""
