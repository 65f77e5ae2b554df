"""What pages share: the scenario being edited, widgets to plain values, cached calls."""
