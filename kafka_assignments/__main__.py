"""``python -m kafka_assignments``: the same as the command ``kafka-assignments``."""

import sys

from kafka_assignments.command import main

sys.exit(main())
