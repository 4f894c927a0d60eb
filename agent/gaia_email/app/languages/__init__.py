"""The language of pages: gettext catalogues, dates and numbers. Mail is never translated."""
