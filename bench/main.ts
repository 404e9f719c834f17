import { resolve } from 'node:path';
import { Command } from 'commander';
import { disableTelemetry } from '../lib/inference-telemetry';
import { growHeapBetweenCollections } from '../workers/garbage-collection';
import type { Benchmark } from './benchmark';

const DEFAULT_MODELS_DIR = '.vouch/models';

interface CommandOptions {
  rows?: boolean;
  models?: string;
  documents?: string;
  gotenberg?: string;
}

function buildCommand(benchmark: Benchmark): Command {
  const { name, measures, needs, duration, options = [], run } = benchmark;
  const requirements = `Needs ${needs}.\nTakes ${duration}.`;
  const command = new Command(name)
    .summary(`${measures}\n${requirements}\n`)
    .description(`${measures}\n\n${requirements}`);
  for (const { syntax, description } of benchmark.arguments ?? []) command.argument(syntax, description);
  if (options.includes('rows')) command.option('--rows', 'print one line of JSON per case, too');
  if (options.includes('modelsDir'))
    command.option('--models <folder>', 'folder of the model files', DEFAULT_MODELS_DIR);
  if (options.includes('documents'))
    command.option('--documents <labels.csv>', 'compare documents: labels as for the benchmark mrz');
  if (options.includes('gotenberg'))
    command.option('--gotenberg <address>', 'compare PDFs with a running Gotenberg, such as http://127.0.0.1:3000');
  return command.action(() => {
    const { models = DEFAULT_MODELS_DIR, rows = false, ...others } = command.opts<CommandOptions>();
    return run(command.args, { rows, modelsDir: resolve(models), ...others });
  });
}

async function main(): Promise<void> {
  // As a worker does. Several benchmarks load ONNX Runtime in this thread, as soon as they are imported.
  disableTelemetry();
  growHeapBetweenCollections();
  const { BENCHMARKS } = await import('./benchmarks.js');
  const program = new Command('npm run bench --')
    .usage('<name> [arguments]')
    .description('Each benchmark prints its figures as one line of JSON and as a table.')
    .helpCommand(false)
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText('after', '\n"npm run bench -- <name> --help" describes the arguments of a benchmark.');
  for (const benchmark of BENCHMARKS) program.addCommand(buildCommand(benchmark));
  // Without a name, every benchmark is described.
  const args = process.argv.length > 2 ? process.argv.slice(2) : ['--help'];
  await program.parseAsync(args, { from: 'user' });
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
