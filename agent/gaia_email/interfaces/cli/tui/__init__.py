"""The full-screen inbox: lists, one key per action. Entry: `app.live`."""
