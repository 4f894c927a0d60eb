"""In which language pages speak: catalogues of gettext, dates and numbers. Mail is never translated."""
