// Package v1beta1 stands in for the package of the API server.
package v1beta1

import "k8s.io/apimachinery/pkg/runtime"

// AddToScheme adds nothing.
func AddToScheme(*runtime.Scheme) error { return nil }
