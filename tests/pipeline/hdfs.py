"""Hadoop's own mini cluster, fetched once by its coordinates."""

from pathlib import Path
from typing import Final

from plugins.kafka_jars import fetched

_MINI_DFS: Final = """\
<ivy-module version="2.0">
  <info organisation="tests" module="hdfs"/>
  <configurations><conf name="default"/></configurations>
  <dependencies>
    <dependency org="org.apache.hadoop" name="hadoop-client-minicluster" rev="3.5.0"
      transitive="false"/>
  </dependencies>
</ivy-module>
"""


def mini_dfs_jars() -> Path:
    """Return the folder of its jars."""
    return fetched("hdfs-3.5.0", _MINI_DFS)
