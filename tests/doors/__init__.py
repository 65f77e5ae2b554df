"""One group through every door: one verdict, one proposal, one judged-by."""
