import path from 'node:path';
import { createScreeningEngine } from '../../activities/screening/engine';
import type { IndexedEntry } from '../../domain/identity/aml/list-index';
import type { ScreeningQuery } from '../../domain/identity/aml/query';
import { MATCH_THRESHOLD } from '../../domain/identity/aml/thresholds';
import { compressSnapshot } from '../../services/identity/aml/snapshot';
import { readEntries } from './list-entries';
import { percentile, report, roundTo } from '../report';

const QUERIES = 2000;
const WARM_UP = 300;

/** A typing error: one letter omitted, or two transposed. */
function mistypeName(name: string, at: number): string {
  const position = 1 + (at % Math.max(1, name.length - 2));
  return at % 2 === 0
    ? name.slice(0, position) + name.slice(position + 1)
    : name.slice(0, position) + (name[position + 1] ?? '') + (name[position] ?? '') + name.slice(position + 2);
}

/** Names of the lists unchanged and with typing errors, and names combined from two entries. */
function buildQueries(entries: readonly IndexedEntry[]): ScreeningQuery[] {
  return Array.from({ length: QUERIES + WARM_UP }, (_, at): ScreeningQuery => {
    const entry = entries[(at * 7919) % entries.length];
    const other = entries[(at * 104_729 + 13) % entries.length];
    const name = entry?.caption ?? 'Unlisted Name';
    const mixed = `${name.split(' ')[0] ?? ''} ${other?.caption.split(' ').at(-1) ?? ''}`;
    const fullName = at % 3 === 0 ? mixed : at % 3 === 1 ? mistypeName(name, at) : name;
    const entityType = entry?.type === 'person' ? 'person' : entry?.type === 'company' ? 'company' : 'any';
    return { fullName, entityType };
  });
}

/** Screens names on one thread against lists loaded into shared memory, as the screening pool does. */
export async function benchAmlThroughput(files: readonly string[]): Promise<void> {
  const engine = createScreeningEngine({ threads: 1 });
  const listedEntries: IndexedEntry[] = [];
  const lists: { version: string; load: () => Promise<Buffer> }[] = [];
  for (const file of files) {
    const entries = await readEntries(file);
    const snapshot = await compressSnapshot(entries);
    lists.push({ version: file, load: () => Promise.resolve(snapshot) });
    listedEntries.push(...entries.map((entry) => ({ ...entry, aliases: [], identifiers: [] })));
  }
  const queries = buildQueries(listedEntries);
  const loading = performance.now();
  await engine.search(lists, { fullName: 'Unlisted Name', entityType: 'any' }, MATCH_THRESHOLD);
  const loadMs = performance.now() - loading;
  const milliseconds: number[] = [];
  const processorMilliseconds: number[] = [];
  let cpu = process.cpuUsage();
  let matches = 0;
  for (const [at, query] of queries.entries()) {
    const start = performance.now();
    const before = process.cpuUsage();
    const hits = await engine.search(lists, query, MATCH_THRESHOLD);
    if (at < WARM_UP) {
      cpu = process.cpuUsage();
      continue;
    }
    milliseconds.push(performance.now() - start);
    const cpuUsed = process.cpuUsage(before);
    processorMilliseconds.push((cpuUsed.user + cpuUsed.system) / 1000);
    if (hits.some((list) => list.length > 0)) matches += 1;
  }
  const { user, system } = process.cpuUsage(cpu);
  await engine.close();
  const total = milliseconds.reduce((sum, each) => sum + each, 0);
  report('aml-throughput', {
    lists: files.map((file) => path.basename(file)).join(', '),
    entries: listedEntries.length,
    screens: milliseconds.length,
    matches,
    loadMs: Math.round(loadMs),
    screensASecond: roundTo((milliseconds.length * 1000) / total, 1),
    // Processor time shows what one core achieves alone, on a machine that is shared with other work.
    screensACpuSecond: roundTo((milliseconds.length * 1e6) / (user + system), 1),
    p95CpuMs: roundTo(percentile(processorMilliseconds, 0.95), 2),
    p50Ms: roundTo(percentile(milliseconds, 0.5), 2),
    p95Ms: roundTo(percentile(milliseconds, 0.95), 2),
    p99Ms: roundTo(percentile(milliseconds, 0.99), 2),
    rssMegabytes: Math.round(process.memoryUsage().rss / 1e6),
  });
}
