"""The Compare page: the answer, a picture of every strategy, and what lies behind them."""
