// Reads the manifests of a chart and fails if one has a field that its Kubernetes type does not have, or a value of another type.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"

	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/yaml"
	strict "sigs.k8s.io/yaml"
)

// The part of a ServiceMonitor that the chart uses. Its full type belongs to the Prometheus operator.
type serviceMonitor struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		Selector struct {
			MatchLabels map[string]string `json:"matchLabels"`
		} `json:"selector"`
		Endpoints []struct {
			Port     string `json:"port"`
			Path     string `json:"path"`
			Interval string `json:"interval"`
		} `json:"endpoints"`
	} `json:"spec"`
}

func main() {
	scheme := runtime.NewScheme()
	types := runtime.SchemeBuilder{
		apps.AddToScheme, autoscaling.AddToScheme, batch.AddToScheme, core.AddToScheme, networking.AddToScheme, policy.AddToScheme,
	}
	if err := types.AddToScheme(scheme); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	decoder := serializer.NewCodecFactory(scheme, serializer.EnableStrict).UniversalDeserializer()
	documents := yaml.NewYAMLReader(bufio.NewReader(os.Stdin))
	count, failed := 0, false
	for {
		document, err := documents.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		var head struct {
			Kind string `json:"kind"`
		}
		if err := strict.Unmarshal(document, &head); err == nil && head.Kind == "" {
			continue // only comments
		}
		if head.Kind == "ServiceMonitor" {
			err = strict.UnmarshalStrict(document, &serviceMonitor{})
		} else {
			_, _, err = decoder.Decode(document, nil, nil)
		}
		count++
		if err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "%s: %v\n", head.Kind, err)
		}
	}
	fmt.Println(count, "manifests")
	if failed {
		os.Exit(1)
	}
}
