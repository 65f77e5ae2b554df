"""What a sentence says: its figures and names in order, whatever words stand between them."""


def lacks(sentence: str, *parts: str) -> list[str]:
    """Return the parts that the sentence does not have behind those before them.

    >>> lacks("9 of 12 partitions move", "9", "12", "move"), lacks("9 of 12 move", "12 ... 9")
    ([], ['9'])
    """
    missing, at = [], 0
    for part in " ... ".join(parts).split(" ... "):
        found = sentence.find(part, at)
        if found < 0:
            missing.append(part)
        else:
            at = found + len(part)
    return missing
