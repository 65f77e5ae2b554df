"""Share groups (KIP-932): the group coordinator's ``SimpleAssignor``, by release."""
