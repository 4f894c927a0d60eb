"""Changes mailboxes: plan, apply, undo. No other code calls a write tool.

Entry point: `account_session.open_account_session`.
"""
