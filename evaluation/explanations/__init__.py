"""Why a partition has its owner, one module a family of strategies, from their own stages."""
