"""Mail servers to test and measure against: Dovecot, a scripted one, an SMTP sink, a proxy that injects faults."""
