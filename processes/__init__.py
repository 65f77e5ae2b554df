"""Other processes of ours: functions called within limits, sessions that end as a whole."""
