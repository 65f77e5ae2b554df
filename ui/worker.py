"""One computation in a process of its own: a function and its arguments in, the result out."""

import os
import pickle
import sys

_NICENESS = 10
"""The server, which answers every visitor, goes first."""


def main() -> None:
    """Read a pickled function with its arguments, and write what it returns or raises."""
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    output = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints must not end up in the result
    function, arguments = pickle.load(sys.stdin.buffer)  # noqa: S301 -- from our own server
    try:
        answer = (True, function(*arguments))
    except Exception as error:  # noqa: BLE001 -- raised again by the server
        answer = (False, error)
    pickle.dump(answer, output)


if __name__ == "__main__":
    main()
