"""The group coordinator's uniform strategy (KIP-848), by release."""
