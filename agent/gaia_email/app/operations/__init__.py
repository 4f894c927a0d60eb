"""The product's operations, each defined once; interfaces derive their commands, tools and routes from them."""
