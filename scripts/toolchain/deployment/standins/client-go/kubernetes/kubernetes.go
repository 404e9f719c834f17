// Package kubernetes stands in for the package of client-go.
package kubernetes
