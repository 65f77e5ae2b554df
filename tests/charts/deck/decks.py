"""A deck with everything that a slide can hold, and names that try to be markup."""

from typing import Final

from charts.deck.model import (
    Aside,
    Chart,
    Deck,
    Heights,
    Slide,
    SlidePlace,
    SlideStep,
)
from charts.report import Figure

HOSTILE: Final = "</script><img src=x onerror=alert(1)>\x00"
CHANGE: Final = Chart(
    axis="lag in records of each consumer",
    below="3 consumers",
    names=("c-1", "c-2", HOSTILE),
    states=(
        Heights(label="Today", heights=(70, 10, 10), marked=(0,)),
        Heights(label="Round robin", heights=(30, 35, 25), marked=(1,)),
    ),
    line=30,
    line_label="an even share",
    legend="",
    marked_label="the busiest",
    alt="Lag of each consumer, before and after",
)
DECK: Final = Deck(
    title=HOSTILE,
    about="3 consumers, 1 topic, 3 partitions",
    slides=(
        Slide(
            name=SlidePlace.FINDING,
            title="c-1 carries 2.3 times its share.",
            subtitle="c-1 is 70 records behind; an even share is 30.",
            figures=(Figure("Waits in all", "90", "records"),),
        ),
        Slide(
            name=SlidePlace.PROPOSAL, title="Switch to Round robin.", chart=CHANGE, points=("So.",)
        ),
        Slide(
            name=SlidePlace.NEXT_STEP,
            title="One rolling restart.",
            points=(HOSTILE,),
            steps=(
                SlideStep(text="Set both:", settings="a=b\nc=d"),
                SlideStep(text="Remove the old one."),
            ),
            asides=(Aside("Risk", HOSTILE),),
            decision="Run it under Round robin?",
            basis="As measured.",
        ),
    ),
)
