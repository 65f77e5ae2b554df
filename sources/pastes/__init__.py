"""What people paste: tables and JSON that Kafka tools print, among whatever stands around them."""
