"""The browser pages, rendered on the server only from the documents of operations. Entry: `pages.web_pages`."""
