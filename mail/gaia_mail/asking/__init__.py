"""The approval question for outgoing mail, with one builder for servers and agent.

`mail.mail_shown` reads the exact bytes to be sent, `people.recipients` classifies the addresses, and `text.mail_text`
renders the plain-text question. Pure: no mailbox, no protocol, no network.
"""
