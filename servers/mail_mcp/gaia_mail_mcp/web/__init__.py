"""What every mail provider on the web needs: HTTP, an OAuth login and where it is kept, and how the service does."""
