// Package dynamic stands in for the package of client-go.
package dynamic

import (
	"context"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
)

// ResourceInterface reads objects of a cluster.
type ResourceInterface interface {
	Get(ctx context.Context, name string, options metav1.GetOptions, subresources ...string) (*unstructured.Unstructured, error)
	List(ctx context.Context, opts metav1.ListOptions) (*unstructured.UnstructuredList, error)
}

// NamespaceableResourceInterface reads objects of a cluster or of a namespace.
type NamespaceableResourceInterface interface {
	Namespace(string) ResourceInterface
	ResourceInterface
}

// Client connects to a cluster.
type Client struct{}

// Resource returns nothing, because there is no client.
func (Client) Resource(schema.GroupVersionResource) NamespaceableResourceInterface { return nil }

// NewForConfig fails: there is no cluster.
func NewForConfig(*rest.Config) (Client, error) { return Client{}, errors.New("there is no cluster") }
