"""The agent over HTTP: the operations and conversations of this program for a browser, a host, or a script."""
