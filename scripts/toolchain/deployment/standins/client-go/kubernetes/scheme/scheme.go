// Package scheme stands in for the package of client-go.
package scheme

import "k8s.io/apimachinery/pkg/runtime"

// Scheme has no types.
var Scheme = runtime.NewScheme()
