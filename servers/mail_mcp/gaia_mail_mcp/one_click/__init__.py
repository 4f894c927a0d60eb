"""One-click unsubscribe (RFC 8058) for any mailbox: `OneClick` asks a list's server to stop.

`offer.py` checks that a message may request it, `request.py` sends the one request, `log.py` stores the outcome.
"""

from gaia_mail_mcp.one_click.leaving import OneClick as OneClick
from gaia_mail_mcp.one_click.log import UnsubscribeLog as UnsubscribeLog
from gaia_mail_mcp.one_click.offer import TrustedAuthServers as TrustedAuthServers
