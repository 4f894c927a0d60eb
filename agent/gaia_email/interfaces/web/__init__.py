"""The pages of the browser, made on the server from the documents of operations alone. Entry: `pages.web_pages`."""
