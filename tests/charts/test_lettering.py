import plotly.graph_objects as go
from streamlit.elements.lib.streamlit_plotly_theme import GRAY_90

from charts.lettering import INK, readable


def test_the_ink_is_what_streamlit_replaces_by_its_strongest_grey() -> None:
    assert INK == GRAY_90


def test_all_text_of_a_figure_gets_the_ink_and_12_px_at_least() -> None:
    figure = go.Figure(go.Bar(x=[1], y=[2]), {"annotations": [{"text": "before"}]})

    layout = readable(figure).layout

    fonts = (
        layout.font,
        layout.legend.font,
        layout.hoverlabel.font,
        layout.xaxis.tickfont,
        layout.yaxis.title.font,
        layout.annotations[0].font,
    )
    assert {font.color for font in fonts} == {INK}
    assert min(font.size for font in fonts) >= 12
