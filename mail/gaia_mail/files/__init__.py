"""Mail files as streams of `RawMail`: `.eml`, mbox, Maildir, folders of these, one message at a time.

Entry point: `read.open_source`.
"""
