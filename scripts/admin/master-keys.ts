import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { rotateMasterKey } from '../../services/platform/keys/master-key-rotation';
import { printReport, withPlatform } from './platform';

interface RotationInput {
  report?: true;
  batchSize?: number;
}

/** Adds `rotate-master-key`, which writes in batches and can be repeated after an interruption. */
export function addMasterKeyCommands(program: Command): void {
  program
    .command('rotate-master-key')
    .description(
      'encrypt everything sealed with earlier master keys again with the first key of MASTER_KEY, while the service runs; run it again after an interruption. Exits with code 2 while anything is left',
    )
    .option('--report', 'only report what is left under earlier keys')
    .option('--batch-size <count>', 'records per write (default: 500)', parseBatchSize)
    .action(rotateMasterKeyCommand);
}

function parseBatchSize(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 10_000)
    throw new InvalidArgumentError('accepts a whole number 1–10000.');
  return count;
}

async function rotateMasterKeyCommand({ report: requestedReport, batchSize }: RotationInput): Promise<void> {
  const report = await withPlatform((platform) =>
    rotateMasterKey(platform, {
      reportOnly: requestedReport === true,
      batchSize,
      onProgress: (store, rewrapped) => process.stderr.write(`${store}: ${rewrapped} encrypted again\n`),
    }),
  );
  if (!report.done) process.exitCode = 2;
  printReport(report);
}
