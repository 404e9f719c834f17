// Package discovery stands in for the package of client-go.
package discovery

import (
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// Client lists what a cluster serves.
type Client struct{}

// ServerResourcesForGroupVersion returns nothing, because there is no client.
func (Client) ServerResourcesForGroupVersion(string) (*metav1.APIResourceList, error) {
	return nil, nil
}

// NewDiscoveryClientForConfig fails: there is no cluster.
func NewDiscoveryClientForConfig(*rest.Config) (Client, error) {
	return Client{}, errors.New("there is no cluster")
}
