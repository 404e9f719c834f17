// Command versitygw is the Versity S3 Gateway with its folder backend alone: without the gateway's other backends and its
// integration tests, it compiles in two thirds of the processor time. It accepts the options that the launcher passes to
// the published program.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/versity/versitygw/backend/meta"
	"github.com/versity/versitygw/backend/posix"
	"github.com/versity/versitygw/embedgw"
)

// The limits are the defaults of the published program.
const (
	maxConnections      = 250_000
	maxRequests         = 100_000
	maxParts            = 10_000
	maxCopiedBytes      = 5 << 30
	maxConcurrentAccess = 5_000
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "versitygw:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	config := embedgw.Config{
		RootUserAccess:    os.Getenv("ROOT_ACCESS_KEY"),
		RootUserSecret:    os.Getenv("ROOT_SECRET_KEY"),
		MaxConnections:    maxConnections,
		MaxRequests:       maxRequests,
		MultipartMaxParts: maxParts,
		Version:           version(),
	}
	options := flag.NewFlagSet("versitygw", flag.ContinueOnError)
	port := options.String("port", ":7070", "address to listen on")
	options.StringVar(&config.Region, "region", "us-east-1", "region of the buckets")
	options.StringVar(&config.HealthPath, "health", "", "path that answers health checks")
	options.BoolVar(&config.Quiet, "quiet", false, "print no line for each request")
	options.BoolVar(&config.KeepAlive, "keep-alive", false, "keep connections open")
	printVersion := options.Bool("version", false, "print the version")
	if err := options.Parse(args); err != nil {
		return err
	}
	if *printVersion {
		fmt.Println("Version  :", config.Version)
		return nil
	}
	if options.Arg(0) != "posix" {
		return errors.New("the only backend is posix")
	}
	config.Ports = []string{*port}
	backend, err := openFolder(options.Args()[1:])
	if err != nil {
		return err
	}
	return embedgw.RunVersityGW(ctx, backend, &config)
}

// openFolder reads the options of the posix backend and opens its folder.
func openFolder(args []string) (*posix.Posix, error) {
	options := flag.NewFlagSet("posix", flag.ContinueOnError)
	sidecar := options.String("sidecar", "", "folder of the metadata of objects")
	versions := options.String("versioning-dir", "", "folder of earlier versions of objects")
	if err := options.Parse(args); err != nil {
		return nil, err
	}
	if options.NArg() != 1 || *sidecar == "" {
		return nil, errors.New("posix needs --sidecar and one folder")
	}
	metadata, err := meta.NewSideCar(*sidecar)
	if err != nil {
		return nil, err
	}
	return posix.New(options.Arg(0), metadata, posix.PosixOpts{
		SideCarDir:          *sidecar,
		VersioningDir:       *versions,
		Concurrency:         maxConcurrentAccess,
		CopyObjectThreshold: maxCopiedBytes,
	})
}

// version returns the version of the gateway that go.mod names.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "github.com/versity/versitygw" {
				return module.Version
			}
		}
	}
	return "unknown"
}
