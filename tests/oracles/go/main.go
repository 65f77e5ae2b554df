// Runs the assignors of Go's Kafka clients on groups.
//
// Reads group JSON with a strategy, one per line, and writes {"assignment": {member: [[topic,
// partition], ...]}} for each. The balancers are called as the libraries' own group leaders call
// them; those that walk a Go map are called often and must return the same, unless they are
// sticky: then "seen" holds every result. Sarama's cooperative one is followed to its last round.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"

	"github.com/IBM/sarama"
	kafka "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"
)

// Calls per group: of most libraries, and of those whose results are all recorded.
const calls, callsForAll = 20, 200

type member struct {
	ID         string   `json:"id"`
	InstanceID *string  `json:"instance_id"`
	Rack       *string  `json:"rack"`
	Topics     []string `json:"topics"`
	Owned      [][2]any `json:"owned"`
	Generation *int32   `json:"generation"`
}

// owned returns the claims by topic, and their generation.
func (m member) owned() (map[string][]int32, int32) {
	owned, generation := map[string][]int32{}, int32(-1)
	for _, pair := range m.Owned {
		topic := pair[0].(string)
		owned[topic] = append(owned[topic], int32(pair[1].(float64)))
	}
	if m.Generation != nil {
		generation = *m.Generation
	}
	return owned, generation
}

type group struct {
	Strategy string `json:"strategy"`
	Topics   map[string]struct {
		Partitions int32 `json:"partitions"`
	} `json:"topics"`
	Members []member `json:"members"`
}

type plan map[string]map[string][]int32

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var asked group
			check(json.Unmarshal(line, &asked))
			seen := seen(asked)
			if len(seen) > 1 && !strings.HasSuffix(asked.Strategy, "sticky") {
				check(fmt.Errorf("%s does not answer the same twice", asked.Strategy))
			}
			check(out.Encode(map[string]any{"assignment": seen[0], "seen": seen}))
		}
		if err != nil {
			return
		}
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// seen returns the distinct results of enough calls to notice a walk over a Go map.
func seen(asked group) []map[string][][2]any {
	var seen []map[string][][2]any
	times := calls
	if strings.HasPrefix(asked.Strategy, "franz-go-") && strings.HasSuffix(asked.Strategy, "sticky") {
		times = callsForAll
	}
	for range times {
		found := listed(answer(asked))
		if !slices.ContainsFunc(seen, func(one map[string][][2]any) bool {
			return reflect.DeepEqual(one, found)
		}) {
			seen = append(seen, found)
		}
	}
	return seen
}

func answer(asked group) plan {
	switch asked.Strategy {
	case "kafka-go-range":
		return kafkaGo(kafka.RangeGroupBalancer{}, asked)
	case "kafka-go-roundrobin":
		return kafkaGo(kafka.RoundRobinGroupBalancer{}, asked)
	case "sarama-range":
		return saramaPlan(sarama.NewBalanceStrategyRange(), asked)
	case "sarama-roundrobin":
		return saramaPlan(sarama.NewBalanceStrategyRoundRobin(), asked)
	case "sarama-sticky":
		return saramaPlan(sarama.NewBalanceStrategySticky(), asked)
	case "sarama-cooperative-sticky":
		return settled(sarama.NewBalanceStrategyCooperativeSticky(), asked)
	case "franz-go-sticky":
		return franzGo(kgo.StickyBalancer(), asked)
	case "franz-go-cooperative-sticky":
		return franzGo(kgo.CooperativeStickyBalancer(), asked)
	case "franz-go-range":
		return franzGo(kgo.RangeBalancer(), asked)
	case "franz-go-roundrobin":
		return franzGo(kgo.RoundRobinBalancer(), asked)
	}
	check(fmt.Errorf("no strategy %q", asked.Strategy))
	return nil
}

func subscribed(asked group) []string {
	wanted := map[string]bool{}
	for _, m := range asked.Members {
		for _, topic := range m.Topics {
			wanted[topic] = true
		}
	}
	topics := make([]string, 0, len(wanted))
	for topic := range wanted {
		topics = append(topics, topic)
	}
	sort.Strings(topics)
	return topics
}

func kafkaGo(balancer kafka.GroupBalancer, asked group) plan {
	members := make([]kafka.GroupMember, 0, len(asked.Members))
	for _, m := range asked.Members {
		members = append(members, kafka.GroupMember{ID: m.ID, Topics: append([]string{}, m.Topics...)})
	}
	var partitions []kafka.Partition
	for _, topic := range subscribed(asked) {
		for p := range int(asked.Topics[topic].Partitions) {
			partitions = append(partitions, kafka.Partition{Topic: topic, ID: p})
		}
	}
	found := plan{}
	for id, topics := range balancer.AssignGroups(members, partitions) {
		for topic, numbers := range topics {
			for _, p := range numbers {
				found.add(id, topic, int32(p))
			}
		}
	}
	return found
}

func saramaPlan(strategy sarama.BalanceStrategy, asked group) plan {
	members := map[string]sarama.ConsumerGroupMemberMetadata{}
	for _, m := range asked.Members {
		owned, generation := m.owned()
		data, err := strategy.AssignmentData(m.ID, owned, generation)
		check(err)
		members[m.ID] = sarama.ConsumerGroupMemberMetadata{Topics: append([]string{}, m.Topics...), UserData: data}
	}
	topics := saramaTopics(asked)
	if len(members) == 0 || len(topics) == 0 {
		return plan{}
	}
	answered, err := strategy.Plan(members, topics)
	check(err)
	return plan(answered)
}

func saramaTopics(asked group) map[string][]int32 {
	topics := map[string][]int32{}
	for _, topic := range subscribed(asked) {
		topics[topic] = nil
		for p := range asked.Topics[topic].Partitions {
			topics[topic] = append(topics[topic], p)
		}
	}
	return topics
}

// settled follows a cooperative strategy through its rounds, until one changes nothing.
func settled(strategy sarama.BalanceStrategy, asked group) plan {
	members := map[string]sarama.ConsumerGroupMemberMetadata{}
	for _, m := range asked.Members {
		owned, generation := m.owned()
		members[m.ID] = saramaOwner(m, owned, generation)
	}
	topics := saramaTopics(asked)
	if len(members) == 0 || len(topics) == 0 {
		return plan{}
	}
	for before := plan(nil); ; {
		answered, err := strategy.Plan(members, topics)
		check(err)
		if reflect.DeepEqual(listed(before), listed(plan(answered))) {
			return before
		}
		before = plan(answered)
		for _, m := range asked.Members {
			members[m.ID] = saramaOwner(m, before[m.ID], 1_000)
		}
	}
}

func saramaOwner(m member, owned map[string][]int32, generation int32) sarama.ConsumerGroupMemberMetadata {
	found := sarama.ConsumerGroupMemberMetadata{
		Version: 2, Topics: append([]string{}, m.Topics...), GenerationID: generation,
	}
	for topic, partitions := range owned {
		found.OwnedPartitions = append(found.OwnedPartitions, &sarama.OwnedPartition{Topic: topic, Partitions: partitions})
	}
	return found
}

func franzGo(balancer kgo.GroupBalancer, asked group) plan {
	members := make([]kmsg.JoinGroupResponseMember, 0, len(asked.Members))
	for _, m := range asked.Members {
		owned, generation := m.owned()
		topics := append([]string{}, m.Topics...)
		sort.Strings(topics) // as kgo does before it joins
		metadata := kmsg.NewConsumerMemberMetadata()
		check(metadata.ReadFrom(balancer.JoinGroupMetadata(topics, owned, generation)))
		metadata.Rack = m.Rack
		one := kmsg.NewJoinGroupResponseMember()
		one.MemberID, one.InstanceID, one.ProtocolMetadata = m.ID, m.InstanceID, metadata.AppendTo(nil)
		members = append(members, one)
	}
	// kgo's leader sorts in this order before it balances.
	sort.Slice(members, func(i, j int) bool {
		l, r := members[i], members[j]
		if l.InstanceID != nil && r.InstanceID != nil {
			return *l.InstanceID < *r.InstanceID
		}
		if l.InstanceID != nil || r.InstanceID != nil {
			return l.InstanceID != nil
		}
		return l.MemberID < r.MemberID
	})
	leader, topics, err := balancer.MemberBalancer(members)
	check(err)
	counts := map[string]int32{}
	for topic := range topics {
		if known, ok := asked.Topics[topic]; ok {
			counts[topic] = known.Partitions
		}
	}
	found := plan{}
	balanced, err := leader.(kgo.GroupMemberBalancerOrError).BalanceOrError(counts)
	check(err)
	for _, assigned := range balanced.IntoSyncAssignment() {
		topics, err := kgo.ParseConsumerSyncAssignment(assigned.MemberAssignment)
		check(err)
		for topic, numbers := range topics {
			for _, p := range numbers {
				found.add(assigned.MemberID, topic, p)
			}
		}
	}
	return found
}

func (p plan) add(id, topic string, partition int32) {
	if p[id] == nil {
		p[id] = map[string][]int32{}
	}
	p[id][topic] = append(p[id][topic], partition)
}

// listed returns what each member gets as [topic, partition] pairs, in order.
func listed(p plan) map[string][][2]any {
	pairs := map[string][][2]any{}
	for id, topics := range p {
		names := make([]string, 0, len(topics))
		for topic := range topics {
			names = append(names, topic)
		}
		sort.Strings(names)
		for _, topic := range names {
			numbers := append([]int32{}, topics[topic]...)
			sort.Slice(numbers, func(i, j int) bool { return numbers[i] < numbers[j] })
			for _, number := range numbers {
				pairs[id] = append(pairs[id], [2]any{topic, number})
			}
		}
	}
	return pairs
}
