package main

import (
	"context"
	"slices"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

// sample is one number of a series.
type sample struct {
	at     int64
	number float64
}

func (s sample) T() int64                    { return s.at }
func (sample) ST() int64                     { return 0 }
func (s sample) F() float64                  { return s.number }
func (sample) H() *histogram.Histogram       { return nil }
func (sample) FH() *histogram.FloatHistogram { return nil }
func (sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample         { return s }

type storedSeries struct {
	labels  labels.Labels
	samples []chunks.Sample
}

// store keeps series in memory. Samples of one series are added in the order of their times.
type store struct {
	series map[string]*storedSeries
}

func newStore() *store { return &store{series: map[string]*storedSeries{}} }

func (s *store) add(described labels.Labels, at int64, number float64) {
	key := described.String()
	stored, known := s.series[key]
	if !known {
		stored = &storedSeries{labels: described}
		s.series[key] = stored
	}
	stored.samples = append(stored.samples, sample{at: at, number: number})
}

// Querier implements storage.Queryable.
func (s *store) Querier(mint, maxt int64) (storage.Querier, error) {
	return &querier{store: s, mint: mint, maxt: maxt}, nil
}

type querier struct {
	store      *store
	mint, maxt int64
}

func (q *querier) Select(_ context.Context, _ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
	var found []storage.Series
	for _, stored := range q.store.series {
		if !matches(stored.labels, matchers) {
			continue
		}
		var within []chunks.Sample
		for _, each := range stored.samples {
			if each.T() >= q.mint && each.T() <= q.maxt {
				within = append(within, each)
			}
		}
		if len(within) > 0 {
			found = append(found, storage.NewListSeries(stored.labels, within))
		}
	}
	slices.SortFunc(found, func(a, b storage.Series) int { return labels.Compare(a.Labels(), b.Labels()) })
	return &seriesSet{series: found, position: -1}
}

func matches(described labels.Labels, matchers []*labels.Matcher) bool {
	for _, matcher := range matchers {
		if !matcher.Matches(described.Get(matcher.Name)) {
			return false
		}
	}
	return true
}

func (*querier) LabelValues(context.Context, string, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (*querier) LabelNames(context.Context, *storage.LabelHints, ...*labels.Matcher) ([]string, annotations.Annotations, error) {
	return nil, nil, nil
}

func (*querier) Close() error { return nil }

type seriesSet struct {
	series   []storage.Series
	position int
}

func (s *seriesSet) Next() bool {
	s.position++
	return s.position < len(s.series)
}

func (s *seriesSet) At() storage.Series              { return s.series[s.position] }
func (*seriesSet) Err() error                        { return nil }
func (*seriesSet) Warnings() annotations.Annotations { return nil }
