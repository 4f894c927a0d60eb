"""A card is data: what is shown of a thread or of what waits, the same for every interface that renders it."""
