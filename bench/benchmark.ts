/** Options of the benchmarks that list them in {@link Benchmark.options}. */
export interface BenchmarkOptions {
  /** `--rows`: prints one line of JSON per case, in addition to the figures. */
  rows: boolean;
  /** `--models <folder>`: folder of the model files, absolute. */
  modelsDir: string;
  /** `--documents <labels.csv>`: file of labels next to images of documents. */
  documents?: string | undefined;
  /** `--gotenberg <address>`: address of a running Gotenberg. */
  gotenberg?: string | undefined;
}

/** A positional argument: `<required>`, `[optional]` or `<variadic...>`. */
export interface BenchmarkArgument {
  syntax: string;
  description: string;
}

/** A benchmark, run by `npm run bench -- <name>`. */
export interface Benchmark {
  name: string;
  /** What it measures, as one sentence. */
  measures: string;
  /** What it requires: a running service, labelled data or nothing. */
  needs: string;
  /** How long it takes on two cores. */
  duration: string;
  arguments?: readonly BenchmarkArgument[];
  options?: readonly (keyof BenchmarkOptions)[];
  run: (args: readonly string[], options: BenchmarkOptions) => Promise<void>;
}
