"""Groups that run no strategy of consumer groups, on every page that predicts."""

from tests.pages.compare_page import opened, paste, verdict
from tests.said import lacks

HEAD = "GROUP TOPIC PARTITION CURRENT-OFFSET LOG-END-OFFSET LAG CONSUMER-ID HOST CLIENT-ID\n"
THREAD = "shop-1a-StreamThread-{}-consumer"
STREAMS = HEAD + "".join(
    f"shop clicks {p} 5 {9 + p} {4 + p} {THREAD.format(p)}-0a1b2c3d-1111-4a4a-8b8b-0123456789ab "
    f"/10.0.0.1 {THREAD.format(p)}\n"
    for p in (0, 1)
)
SHARE = (
    "GROUP TOPIC PARTITION START-OFFSET LAG\n"
    "thumb-workers thumbnails 0 8982 7\nthumb-workers thumbnails 1 8982 9\n"
)


def test_a_streams_application_is_told_as_one_and_gets_no_strategy_on_any_page() -> None:
    page = opened()
    paste(page, STREAMS)
    for name in ("compare", "capacity", "autoscaler", "scenarios", "rebalance"):
        page.switch_page(f"pages/{name}.py").run()

        assert not page.exception
        said = verdict(page)
        assert lacks(said, "'shop' is a Kafka Streams application", "num.stream.threads") == []
        assert page.dataframe[-1].value["Lag"].tolist() == [5, 4], name
        assert len(page.dataframe[0].value) == 2


def test_a_share_group_shows_its_lag_by_partition() -> None:
    page = opened()
    paste(page, SHARE)

    assert "a share group" in verdict(page)
    assert page.dataframe[0].value["Lag"].tolist() == [9, 7]
