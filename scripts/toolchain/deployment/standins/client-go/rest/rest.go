// Package rest stands in for the package of client-go.
package rest

// Config is the address of a cluster, of which there is none.
type Config struct{}
