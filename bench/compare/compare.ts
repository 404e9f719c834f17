import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BenchmarkOptions } from '../benchmark';
import { readLoadAverage } from '../process-meters';
import { report } from '../report';
import { compareDocuments } from './documents';
import type { Figures } from './figures';
import { compareNames } from './names';
import { comparePdfs } from './pdfs';

const RESULTS = 'bench/results';

/** The parts that the arguments ask for, in the order in which they run. */
function listParts(
  lists: readonly string[],
  { documents, gotenberg, modelsDir }: BenchmarkOptions,
): { name: string; run: () => Promise<Figures> }[] {
  return [
    ...(lists.length > 0 ? [{ name: 'names', run: () => compareNames(lists) }] : []),
    ...(documents === undefined ? [] : [{ name: 'documents', run: () => compareDocuments(documents, modelsDir) }]),
    ...(gotenberg === undefined ? [] : [{ name: 'pdfs', run: () => comparePdfs(gotenberg) }]),
  ];
}

/**
 * Measures this service and other software in one run. Prints the figures of each part and writes them to
 * `bench/results/compare-<part>.json`.
 * @param lists watch list files, for names
 * @throws Error if nothing to compare was named
 */
export async function benchCompare(lists: readonly string[], options: BenchmarkOptions): Promise<void> {
  const parts = listParts(lists, options);
  if (parts.length === 0) {
    throw new Error('Name what to compare: watch list files, --documents <labels.csv>, --gotenberg <address>.');
  }
  for (const { name, run } of parts) {
    const figures = { ...(await run()), load: readLoadAverage() };
    report(`compare ${name}`, figures);
    await mkdir(RESULTS, { recursive: true });
    const file = path.join(RESULTS, `compare-${name}.json`);
    await writeFile(file, `${JSON.stringify({ measuredAt: new Date().toISOString(), ...figures }, null, 2)}\n`);
    console.log(`  written to ${file}`);
  }
}
