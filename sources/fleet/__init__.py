"""The Delta tables of the pipeline, read without Spark or Java."""
