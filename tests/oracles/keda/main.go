// Asks KEDA's Apache Kafka scaler for its metric.
//
// Reads one case a line: {"options": {trigger metadata}, "polls": [{topic: [[committed, end, log
// start], ...]}, ...]}; committed is -1 where nothing is. Writes {"answers": [[metric, target,
// active], ...]}, or {"error": ...} where the scaler refuses its options. The scaler is KEDA's own,
// made by its constructor, and reads the offsets from a stand-in of a broker.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/IBM/sarama"
	"github.com/go-logr/logr"
	"github.com/kedacore/keda/v2/pkg/scalers/scalersconfig"
	controllerlog "sigs.k8s.io/controller-runtime/pkg/log"

	"keda-oracle/scalers"
)

const group = "group"

type poll map[string][][3]int64

type question struct {
	Options map[string]string `json:"options"`
	Polls   []poll            `json:"polls"`
}

type reporter struct{}

func (reporter) Error(args ...any)                 { check(fmt.Errorf("%v", args)) }
func (reporter) Errorf(format string, args ...any) { check(fmt.Errorf(format, args...)) }
func (reporter) Fatal(args ...any)                 { check(fmt.Errorf("%v", args)) }
func (reporter) Fatalf(format string, args ...any) { check(fmt.Errorf(format, args...)) }
func (reporter) Helper()                           {}

func main() {
	log.SetOutput(io.Discard)
	controllerlog.SetLogger(logr.Discard())
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var asked question
			check(json.Unmarshal(line, &asked))
			check(out.Encode(answer(asked)))
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

func answer(asked question) map[string]any {
	broker := sarama.NewMockBroker(reporter{}, 1)
	defer broker.Close()
	answers := [][]any{}
	var scaler scalers.Scaler
	for number, offsets := range asked.Polls {
		stand(broker, offsets)
		if number == 0 {
			var err error
			if scaler, err = scalers.NewKafkaScaler(context.Background(), config(broker, asked.Options)); err != nil {
				return map[string]any{"error": err.Error()}
			}
			defer scaler.Close(context.Background())
		}
		metrics, active, err := scaler.GetMetricsAndActivity(context.Background(), "lag")
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		target := scaler.GetMetricSpecForScaling(context.Background())[0].External.Target
		answers = append(answers, []any{metrics[0].Value.MilliValue(), target.AverageValue.MilliValue(), active})
	}
	return map[string]any{"answers": answers}
}

func config(broker *sarama.MockBroker, options map[string]string) *scalersconfig.ScalerConfig {
	metadata := map[string]string{"bootstrapServers": broker.Addr(), "consumerGroup": group}
	for name, value := range options {
		metadata[name] = value
	}
	return &scalersconfig.ScalerConfig{TriggerMetadata: metadata}
}

func stand(broker *sarama.MockBroker, offsets poll) {
	metadata := sarama.NewMockMetadataResponse(reporter{}).
		SetBroker(broker.Addr(), broker.BrokerID()).SetController(broker.BrokerID())
	committed := sarama.NewMockOffsetFetchResponse(reporter{}).SetError(sarama.ErrNoError)
	ends := sarama.NewMockOffsetResponse(reporter{})
	for topic, partitions := range offsets {
		for number, known := range partitions {
			partition := int32(number)
			metadata.SetLeader(topic, partition, broker.BrokerID())
			committed.SetOffset(group, topic, partition, known[0], "", sarama.ErrNoError)
			ends.SetOffset(topic, partition, sarama.OffsetNewest, known[1])
			ends.SetOffset(topic, partition, sarama.OffsetOldest, known[2])
		}
	}
	broker.SetHandlerByMap(map[string]sarama.MockResponse{
		"ApiVersionsRequest": sarama.NewMockApiVersionsResponse(reporter{}),
		"MetadataRequest":    metadata,
		"OffsetFetchRequest": committed,
		"OffsetRequest":      ends,
		"FindCoordinatorRequest": sarama.NewMockFindCoordinatorResponse(reporter{}).
			SetCoordinator(sarama.CoordinatorGroup, group, broker),
	})
}
