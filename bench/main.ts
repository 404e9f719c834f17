import { resolve } from 'node:path';
import { Command } from 'commander';
import type { Benchmark } from './benchmark';
import { BENCHMARKS } from './benchmarks';

const DEFAULT_MODELS_DIR = '.vouch/models';

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
  return command.action(() => {
    const { rows = false, models = DEFAULT_MODELS_DIR } = command.opts<{ rows?: boolean; models?: string }>();
    return run(command.args, { rows, modelsDir: resolve(models) });
  });
}

const program = new Command('npm run bench --')
  .usage('<name> [arguments]')
  .description('Each benchmark prints its figures as one line of JSON and as a table.')
  .helpCommand(false)
  .configureHelp({ subcommandTerm: (command) => command.name() })
  .addHelpText('after', '\n"npm run bench -- <name> --help" describes the arguments of a benchmark.');
for (const benchmark of BENCHMARKS) program.addCommand(buildCommand(benchmark));

// Without a name, every benchmark is described.
const args = process.argv.length > 2 ? process.argv.slice(2) : ['--help'];
program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
