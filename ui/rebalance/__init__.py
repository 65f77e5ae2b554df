"""The Rebalance page: what happens to a group, event by event, under every strategy."""

from ui.rebalance.last import LastResult, last_result

__all__ = ["LastResult", "last_result"]
