"""The plug-in's pages."""
