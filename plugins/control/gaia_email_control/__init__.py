"""The control protocol, by which agents of other programs work with this one. Entry: `plugin.PLUGIN`."""
