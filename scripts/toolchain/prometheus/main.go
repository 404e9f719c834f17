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

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

const (
	// The cache of the toolchain holds one program per version.
	version = "2"
	usage   = "usage: prometheus version | check RULES | lint < METRICS | evaluate < REQUEST"

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

type query struct {
	Expr string `json:"expr"`
	AtMs int64  `json:"atMs"`
}

// request is what `evaluate` reads: data, alerts that are evaluated every interval from 0 on, queries, and the names and
// times of alerts whose firing instances are asked for.
type request struct {
	IntervalMs int64    `json:"intervalMs"`
	Series     []series `json:"series"`
	Scrapes    []scrape `json:"scrapes"`
	Alerts     []alert  `json:"alerts"`
	Queries    []query  `json:"queries"`
	Firing     []moment `json:"firing"`
}

// response has the results of the queries and the firing alerts, each in the order of the request.
type response struct {
	Results [][]result `json:"results"`
	Firing  [][]firing `json:"firing"`
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
	case args[0] == "lint" && len(args) == 1:
		return lint(os.Stdin, os.Stdout)
	case args[0] == "evaluate" && len(args) == 1:
		return evaluate(os.Stdin, os.Stdout)
	}
	return errors.New(usage)
}

// lint writes the problems of metrics in the text format, one per line, as `promtool check metrics` does.
func lint(in io.Reader, out io.Writer) error {
	problems, err := promlint.New(in).Lint()
	if err != nil {
		return err
	}
	for _, problem := range problems {
		fmt.Fprintln(out, problem.Metric, problem.Text)
	}
	return nil
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
	active, err := evaluateAlerts(engine, store, asked)
	if err != nil {
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
	return json.NewEncoder(out).Encode(response{Results: results, Firing: active})
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
