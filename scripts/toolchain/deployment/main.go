// Command deployment does what Docker Compose, Helm and kubeconform do with files, for tests on machines without them. It
// is one program over their libraries, so that the packages which they share are compiled once. There is no cluster, so
// the client of Kubernetes is replaced by an empty one (standins), which halves the processor time of the compilation.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/compose-spec/compose-go/v2/cli"
	"github.com/yannh/kubeconform/pkg/validator"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
)

const (
	// The cache of the toolchain holds one program per version.
	version = "2"
	usage   = "usage: deployment version | compose FILE… | template CHART [VALUES…] | validate SCHEMAS KUBERNETES-VERSION"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "deployment:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	switch command, rest := args[0], args[1:]; {
	case command == "version":
		fmt.Println(version)
		return nil
	case command == "compose":
		return resolveCompose(rest)
	case command == "template" && len(rest) > 0:
		return renderChart(rest[0], rest[1:])
	case command == "validate" && len(rest) == 2:
		return validateManifests(rest[0], rest[1])
	}
	return errors.New(usage)
}

// resolveCompose prints the project of compose files, with the services of every profile, as JSON. Values come from the
// file .env next to the first file, and from nothing else.
func resolveCompose(files []string) error {
	options, err := cli.NewProjectOptions(files, cli.WithEnvFiles(), cli.WithDotEnv, cli.WithProfiles([]string{"*"}))
	if err != nil {
		return err
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(project)
}

// renderChart prints the manifests of a chart as `helm template` does, in the namespace vouch. It fails for a chart whose
// Chart.yaml is not valid, for values that values.schema.json does not allow, and for a value that a template needs.
func renderChart(folder string, files []string) error {
	chart, err := loader.Load(folder)
	if err != nil {
		return err
	}
	if err := chart.Validate(); err != nil {
		return err
	}
	given := map[string]any{}
	for _, file := range files {
		values, err := common.ReadValuesFile(file)
		if err != nil {
			return err
		}
		given = util.CoalesceTables(values, given)
	}
	release := common.ReleaseOptions{Name: "vouch", Namespace: "vouch", Revision: 1, IsInstall: true}
	values, err := util.ToRenderValues(chart, given, release, nil)
	if err != nil {
		return err
	}
	rendered, err := engine.Engine{Strict: true}.Render(chart, values)
	if err != nil {
		return err
	}
	names := make([]string, 0, len(rendered))
	for name, text := range rendered {
		if path.Ext(name) == ".yaml" && strings.TrimSpace(text) != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Printf("---\n# Source: %s\n%s\n", name, rendered[name])
	}
	return nil
}

// validateManifests compares the manifests on standard input with JSON schemas, as `kubeconform -strict` does.
func validateManifests(schemas, kubernetes string) error {
	location := path.Join(schemas, "{{ .ResourceKind }}{{ .KindSuffix }}.json")
	schema, err := validator.New([]string{location}, validator.Opts{KubernetesVersion: kubernetes, Strict: true})
	if err != nil {
		return err
	}
	var problems []error
	valid := 0
	for _, result := range schema.Validate("standard input", io.NopCloser(os.Stdin)) {
		switch result.Status {
		case validator.Valid:
			valid++
		case validator.Empty:
		default:
			signature, _ := result.Resource.Signature()
			problems = append(problems, fmt.Errorf("%s %s: %w", signature.Kind, signature.Name, result.Err))
		}
	}
	fmt.Println(valid, "valid")
	return errors.Join(problems...)
}
