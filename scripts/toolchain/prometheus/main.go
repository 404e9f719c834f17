// Command prometheus evaluates rules and queries with the parser and the engine of Prometheus, for tests on machines
// without it. Series are kept in memory: they come from the notation of rule tests or from scrapes. Without the database,
// the service discovery and the remote storage of the published programs, it compiles in a small part of their time.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

const (
	// The cache of the toolchain holds one program per version.
	version = "1"
	usage   = "usage: prometheus version | check RULES | evaluate < REQUEST"

	maxSamples = 50_000_000
	timeout    = 2 * time.Minute
	lookback   = 5 * time.Minute
)

type scrape struct {
	AtMs   int64             `json:"atMs"`
	Labels map[string]string `json:"labels"`
	Text   string            `json:"text"`
}

type series struct {
	Series string `json:"series"`
	Values string `json:"values"`
}

type alert struct {
	Alert  string            `json:"alert"`
	Expr   string            `json:"expr"`
	ForMs  int64             `json:"forMs"`
	Labels map[string]string `json:"labels"`
}

type query struct {
	Expr string `json:"expr"`
	AtMs int64  `json:"atMs"`
}

// request is what `evaluate` reads: data, alerts that are evaluated every interval from 0 on, and queries.
type request struct {
	IntervalMs int64    `json:"intervalMs"`
	Series     []series `json:"series"`
	Scrapes    []scrape `json:"scrapes"`
	Alerts     []alert  `json:"alerts"`
	Queries    []query  `json:"queries"`
}

type result struct {
	Labels map[string]string `json:"labels"`
	// JSON has no infinite numbers.
	Value string `json:"value"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "prometheus:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch {
	case args[0] == "version":
		fmt.Println(version)
		return nil
	case args[0] == "check" && len(args) == 2:
		_, problems := rulefmt.ParseFile(args[1], false, model.UTF8Validation, newParser(), slog.New(slog.DiscardHandler))
		return errors.Join(problems...)
	case args[0] == "evaluate" && len(args) == 1:
		return evaluate(os.Stdin, os.Stdout)
	}
	return errors.New(usage)
}

func newParser() parser.Parser { return parser.NewParser(parser.Options{}) }

func evaluate(in io.Reader, out io.Writer) error {
	var asked request
	decoder := json.NewDecoder(in)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&asked); err != nil {
		return err
	}
	store := newStore()
	if err := errors.Join(store.addSeries(asked), store.addScrapes(asked.Scrapes)); err != nil {
		return err
	}
	engine := promql.NewEngine(promql.EngineOpts{
		MaxSamples:           maxSamples,
		Timeout:              timeout,
		LookbackDelta:        lookback,
		EnableAtModifier:     true,
		EnableNegativeOffset: true,
		Parser:               newParser(),
	})
	defer engine.Close()
	if err := evaluateAlerts(engine, store, asked); err != nil {
		return err
	}
	results := make([][]result, len(asked.Queries))
	for index, query := range asked.Queries {
		vector, err := execute(engine, store, query.Expr, query.AtMs)
		if err != nil {
			return fmt.Errorf("%s: %w", query.Expr, err)
		}
		results[index] = describe(vector)
	}
	return json.NewEncoder(out).Encode(results)
}

func (s *store) addSeries(asked request) error {
	for _, each := range asked.Series {
		described, values, err := newParser().ParseSeriesDesc(each.Series + " " + each.Values)
		if err != nil {
			return fmt.Errorf("%s: %w", each.Series, err)
		}
		for index, value := range values {
			if !value.Omitted {
				s.add(described, int64(index)*asked.IntervalMs, value.Value)
			}
		}
	}
	return nil
}

func (s *store) addScrapes(scrapes []scrape) error {
	for _, each := range scrapes {
		text, err := textparse.New([]byte(each.Text), "text/plain", nil, textparse.ParserOptions{})
		if err != nil {
			return err
		}
		for {
			entry, err := text.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return fmt.Errorf("scrape at %d ms: %w", each.AtMs, err)
			}
			if entry != textparse.EntrySeries {
				continue
			}
			var scraped labels.Labels
			text.Labels(&scraped)
			_, _, sample := text.Series()
			s.add(withLabels(scraped, each.Labels), each.AtMs, sample)
		}
		up := labels.FromStrings(labels.MetricName, "up")
		s.add(withLabels(up, each.Labels), each.AtMs, 1)
	}
	return nil
}

// withLabels adds labels; an empty value removes one.
func withLabels(all labels.Labels, added map[string]string) labels.Labels {
	builder := labels.NewBuilder(all)
	for name, value := range added {
		builder.Set(name, value)
	}
	return builder.Labels()
}

func execute(engine *promql.Engine, store *store, expr string, atMs int64) (promql.Vector, error) {
	query, err := engine.NewInstantQuery(context.Background(), store, nil, expr, time.UnixMilli(atMs))
	if err != nil {
		return nil, err
	}
	defer query.Close()
	evaluated := query.Exec(context.Background())
	if evaluated.Err != nil {
		return nil, evaluated.Err
	}
	if scalar, ok := evaluated.Value.(promql.Scalar); ok {
		return promql.Vector{{T: scalar.T, F: scalar.V}}, nil
	}
	vector, err := evaluated.Vector()
	// The samples of a closed query are used again.
	return append(promql.Vector(nil), vector...), err
}

func describe(vector promql.Vector) []result {
	described := make([]result, 0, len(vector))
	for _, sample := range vector {
		described = append(described, result{Labels: sample.Metric.Map(), Value: formatNumber(sample.F)})
	}
	return described
}

func formatNumber(number float64) string {
	switch {
	case math.IsInf(number, 1):
		return "Infinity"
	case math.IsInf(number, -1):
		return "-Infinity"
	}
	return strings.TrimSpace(fmt.Sprintf("%g", number))
}

// evaluateAlerts writes the series ALERTS as Prometheus does: an alert is pending until it was active for long enough.
func evaluateAlerts(engine *promql.Engine, store *store, asked request) error {
	var end int64
	for _, query := range asked.Queries {
		end = max(end, query.AtMs)
	}
	for _, rule := range asked.Alerts {
		activeSince := map[string]int64{}
		written := map[string]labels.Labels{}
		for at := int64(0); at <= end; at += asked.IntervalMs {
			vector, err := execute(engine, store, rule.Expr, at)
			if err != nil {
				return fmt.Errorf("%s: %w", rule.Alert, err)
			}
			active := map[string]int64{}
			current := map[string]labels.Labels{}
			for _, sample := range vector {
				key := sample.Metric.String()
				since, known := activeSince[key]
				if !known {
					since = at
				}
				active[key] = since
				state := "pending"
				if at-since >= rule.ForMs {
					state = "firing"
				}
				added := map[string]string{labels.MetricName: "ALERTS", "alertname": rule.Alert, "alertstate": state}
				series := withLabels(withLabels(sample.Metric, rule.Labels), added)
				current[series.String()] = series
				store.add(series, at, 1)
			}
			for key, series := range written {
				if _, goesOn := current[key]; !goesOn {
					store.add(series, at, math.Float64frombits(value.StaleNaN))
				}
			}
			activeSince, written = active, current
		}
	}
	return nil
}
