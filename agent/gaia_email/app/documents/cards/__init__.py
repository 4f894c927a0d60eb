"""Cards as data: the same content of a thread or pending item for every interface that renders it."""
