// Asks KafkaJS's RoundRobinAssigner about groups.
//
// Reads group JSON, one a line, and writes {"assignment": {member: [[topic, partition], ...]}} for
// each. The leader is the member listed first: KafkaJS assigns the topics it subscribes to.
const readline = require('readline')
const { PartitionAssigners, AssignerProtocol } = require('kafkajs')

const partitionsOf = (group, topic) =>
  Array.from({ length: group.topics[topic]?.partitions ?? 0 }, (_, partitionId) => ({ partitionId }))

const answer = async group => {
  const cluster = { findTopicPartitionMetadata: topic => partitionsOf(group, topic) }
  const assigner = PartitionAssigners.roundRobin({ cluster })
  const topics = [...new Set(group.members[0]?.topics ?? [])]
  const members = group.members.map(({ id }) => ({ memberId: id }))
  const found = {}
  for (const { memberId, memberAssignment } of await assigner.assign({ members, topics })) {
    const { assignment } = AssignerProtocol.MemberAssignment.decode(memberAssignment)
    found[memberId] = Object.entries(assignment).flatMap(([topic, partitions]) =>
      partitions.map(partition => [topic, partition])
    )
  }
  return found
}

const main = async () => {
  for await (const line of readline.createInterface({ input: process.stdin })) {
    console.log(JSON.stringify({ assignment: await answer(JSON.parse(line)) }))
  }
}

main()
