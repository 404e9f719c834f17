package main

import (
	"context"
	"fmt"
	"math"
	"net/url"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/timestamp"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/template"
)

type alert struct {
	Alert       string            `json:"alert"`
	Expr        string            `json:"expr"`
	ForMs       int64             `json:"forMs"`
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// moment is an alert at a time.
type moment struct {
	Alert string `json:"alert"`
	AtMs  int64  `json:"atMs"`
}

// firing is an instance of an alert that fires.
type firing struct {
	Labels      map[string]string `json:"labels"`
	Annotations map[string]string `json:"annotations"`
}

// What Prometheus puts before the templates of rules.
const templateVariables = "{{$labels := .Labels}}{{$externalLabels := .ExternalLabels}}{{$value := .Value}}"

// evaluateAlerts writes the series ALERTS as Prometheus does: an alert is pending until it was active for long enough.
func evaluateAlerts(engine *promql.Engine, store *store, asked request) ([][]firing, error) {
	found := make([][]firing, len(asked.Firing))
	for index := range found {
		found[index] = []firing{}
	}
	for _, rule := range asked.Alerts {
		evaluation := evaluation{engine: engine, store: store, rule: rule}
		for at := int64(0); at <= findEnd(asked); at += asked.IntervalMs {
			active, err := evaluation.evaluateAt(at)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", rule.Alert, err)
			}
			for index, each := range asked.Firing {
				if each.Alert == rule.Alert && each.AtMs == at {
					found[index] = append(found[index], active...)
				}
			}
		}
	}
	return found, nil
}

func findEnd(asked request) int64 {
	var end int64
	for _, query := range asked.Queries {
		end = max(end, query.AtMs)
	}
	for _, each := range asked.Firing {
		end = max(end, each.AtMs)
	}
	return end
}

// evaluation is the state of one rule between evaluations.
type evaluation struct {
	engine      *promql.Engine
	store       *store
	rule        alert
	activeSince map[string]int64
	written     map[string]labels.Labels
}

// evaluateAt returns the instances that fire.
func (e *evaluation) evaluateAt(at int64) ([]firing, error) {
	vector, err := execute(e.engine, e.store, e.rule.Expr, at)
	if err != nil {
		return nil, err
	}
	found := []firing{}
	active := map[string]int64{}
	current := map[string]labels.Labels{}
	for _, sample := range vector {
		key := sample.Metric.String()
		since, known := e.activeSince[key]
		if !known {
			since = at
		}
		active[key] = since
		state := "pending"
		if at-since >= e.rule.ForMs {
			state = "firing"
			instance, err := e.describe(sample, at)
			if err != nil {
				return nil, err
			}
			found = append(found, instance)
		}
		added := map[string]string{labels.MetricName: "ALERTS", "alertname": e.rule.Alert, "alertstate": state}
		series := withLabels(withLabels(sample.Metric, e.rule.Labels), added)
		current[series.String()] = series
		e.store.add(series, at, 1)
	}
	for key, series := range e.written {
		if _, goesOn := current[key]; !goesOn {
			e.store.add(series, at, math.Float64frombits(value.StaleNaN))
		}
	}
	e.activeSince, e.written = active, current
	return found, nil
}

// describe expands the templates of the annotations.
func (e *evaluation) describe(sample promql.Sample, at int64) (firing, error) {
	without := withLabels(sample.Metric, map[string]string{labels.MetricName: ""})
	described := firing{Labels: withLabels(without, e.rule.Labels).Map(), Annotations: map[string]string{}}
	query := func(_ context.Context, expr string, when time.Time) (promql.Vector, error) {
		return execute(e.engine, e.store, expr, timestamp.FromTime(when))
	}
	data := template.AlertTemplateData(without.Map(), map[string]string{}, "", sample)
	for name, text := range e.rule.Annotations {
		expander := template.NewTemplateExpander(
			context.Background(), templateVariables+text, e.rule.Alert, data, model.Time(at), query, &url.URL{}, nil)
		expanded, err := expander.Expand()
		if err != nil {
			return firing{}, err
		}
		described.Annotations[name] = expanded
	}
	return described, nil
}
