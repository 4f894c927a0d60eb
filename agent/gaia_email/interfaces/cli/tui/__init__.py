"""The inbox as a place to live in: lists, one key an action. Entry: `app.live`."""
