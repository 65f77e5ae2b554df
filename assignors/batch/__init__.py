"""Second forms: the same answers as the plain ones, for sizes at which those are too slow."""
