"""The steps from one version of the tables to the next; Alembic runs them (`gaia_email.ledger.migrating`)."""
