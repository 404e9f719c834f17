import { pollUntilFound } from './poll';
import { readStack } from './stack';

/** One series of a scrape. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

/** What one process of the stack returned at `/metrics`. */
export interface Scrape {
  text: string;
  samples: readonly Sample[];
  /** Names of all metrics, also of those without a series yet. */
  names: ReadonlySet<string>;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\.)*)"/g;

function parseLine(line: string): Sample[] {
  const [, name, labels = '', value] = LINE.exec(line) ?? [];
  if (name === undefined) return [];
  const pairs = [...labels.matchAll(LABEL)].map(([, label = '', text = '']) => [label, text] as const);
  return [{ name, labels: Object.fromEntries(pairs), value: Number(value) }];
}

/** Parses the text format of Prometheus. A histogram is listed under the names of its series. */
export function parseMetrics(text: string): Scrape {
  const lines = text.split('\n');
  const samples = lines.flatMap(parseLine);
  const declared = lines.flatMap((line) => {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
  });
  return { text, samples, names: new Set([...declared, ...samples.map(({ name }) => name)]) };
}

const hasFailedSource = ({ samples }: Scrape): boolean =>
  samples.some(({ name, value }) => name === 'vouch_scrape_source_failed' && value > 0);

/**
 * Scrapes one address, with the token of the stack unless another is given. Repeated while a source of the metrics fails:
 * a busy machine may respond later than the service waits for it.
 */
export const scrape = (url: string, token = process.env['METRICS_TOKEN'] ?? ''): Promise<Scrape & { status: number }> =>
  pollUntilFound(async () => {
    const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
    const scraped = parseMetrics(await response.text());
    return hasFailedSource(scraped) ? undefined : { status: response.status, ...scraped };
  });

/** Scrapes every process of the stack, as Prometheus would. */
export async function scrapeStack(): Promise<Scrape> {
  const scrapes = await Promise.all(Object.values(readStack().processes).map((url) => scrape(url)));
  return parseMetrics(scrapes.map(({ text }) => text).join('\n'));
}

/** A scrape of every process as Prometheus stores it, at a time of the caller's choice. */
export const scrapeProcesses = (atMs: number) =>
  Promise.all(
    Object.entries(readStack().processes).map(async ([instance, url]) => {
      const { text } = await scrape(url);
      return { atMs, labels: { job: 'vouch', instance }, text };
    }),
  );
