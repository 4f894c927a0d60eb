"""Pages of settings for mail programs, as domains publish them."""

from __future__ import annotations

PAGE = b"""<?xml version="1.0" encoding="UTF-8"?>
<clientConfig version="1.1">
  <emailProvider id="firm.example">
    <domain>firm.example</domain>
    <incomingServer type="pop3">
      <hostname>pop.firm.example</hostname><port>995</port><socketType>SSL</socketType>
      <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication>
    </incomingServer>
    <incomingServer type="imap">
      <hostname>open.firm.example</hostname><port>143</port><socketType>plain</socketType>
      <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication>
    </incomingServer>
    <incomingServer type="imap">
      <hostname>Mail.Firm.example</hostname><port>993</port><socketType>SSL</socketType>
      <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication>
    </incomingServer>
    <outgoingServer type="smtp">
      <hostname>send.firm.example</hostname><port>587</port><socketType>STARTTLS</socketType>
      <username>%EMAILADDRESS%</username><authentication>password-cleartext</authentication>
    </outgoingServer>
  </emailProvider>
</clientConfig>
"""


def server(
    *, kind: str = "imap", security: str = "SSL", port: str = "993", user: str = "%EMAILADDRESS%"
) -> bytes:
    """A page that names one server."""
    return (
        f'<clientConfig><emailProvider><incomingServer type="{kind}"><hostname>mail.firm.example</hostname>'
        f"<port>{port}</port><socketType>{security}</socketType><username>{user}</username>"
        "</incomingServer></emailProvider></clientConfig>"
    ).encode()
