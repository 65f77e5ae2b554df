"""Uniform assignment by the group coordinator (KIP-848), by release."""
