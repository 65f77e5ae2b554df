"""Pastes: tables and JSON that Kafka tools print, amid other text."""
