"""Print how many vectors of each file are answered as by Kafka: ``python -m tests.kinds FILE…``."""

import sys
from pathlib import Path

from tests.kinds.vectors import score


def main(files: list[str]) -> int:
    """Print "NAME: right of total" for each file; return 1 if one is not all right, else 0."""
    scores = []
    for file in files:
        found = score(Path(file))
        scores.append(found)
        sys.stdout.write(f"{found.name}: {found.right} of {found.total}\n")
        for name in found.wrong[:5]:
            sys.stdout.write(f"  wrong: {name}\n")
    return 0 if scores and all(each.is_perfect for each in scores) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
