"""What a person is shown before mail goes out: the one builder, for servers and for the agent.

`mail.mail_shown` reads the exact bytes that would be sent, `people.recipients` tells who everybody is, and
`text.mail_text` makes the plain question of it. Pure: no mailbox, no protocol, no network.
"""
