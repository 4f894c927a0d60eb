"""One-click unsubscribe (RFC 8058) for any mailbox: `OneClick` asks the server of a list to stop.

`offer.py` says whether a message may ask for it, `request.py` sends the one request, `log.py` keeps what came of it.
"""

from gaia_mail_mcp.one_click.leaving import OneClick as OneClick
from gaia_mail_mcp.one_click.log import UnsubscribeLog as UnsubscribeLog
from gaia_mail_mcp.one_click.offer import TrustedAuthServers as TrustedAuthServers
