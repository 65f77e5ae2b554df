"""How good an assignment can get: limits on lag, counts and racks, and how close one comes."""
