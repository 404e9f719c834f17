import { execFileSync } from 'node:child_process';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/durations';

export interface Query {
  expr: string;
  atMs: number;
}

/** A scrape of a process as Prometheus stores it. */
export interface ProcessScrape {
  atMs: number;
  labels: Record<string, string>;
  text: string;
}

/** What Prometheus knows: series in the notation of rule tests, or scrapes of processes. */
export interface QueriedData {
  intervalMs?: number;
  series?: readonly { series: string; values: string }[];
  scrapes?: readonly ProcessScrape[];
  alerts?: readonly {
    alert: string;
    expr: string;
    forMs: number;
    labels: Record<string, string>;
    annotations: Record<string, string>;
  }[];
  /** Alerts whose firing instances are asked for. */
  firing?: readonly { alert: string; atMs: number }[];
}

const textsSchema = z.record(z.string(), z.string());
const responseSchema = z.object({
  results: z.array(z.array(z.object({ labels: textsSchema, value: z.string() }))),
  firing: z.array(z.array(z.object({ labels: textsSchema, annotations: textsSchema }))),
});
export type Evaluated = z.infer<typeof responseSchema>;
export type QueryResult = Evaluated['results'][number];

const MAX_BYTES = 256 * 1024 * 1024;

/** Runs the program with the engine of Prometheus (`scripts/toolchain/prometheus`). @throws Error with what is wrong */
export const runProgram = (program: string, args: readonly string[], input = ''): string =>
  execFileSync(program, [...args], { encoding: 'utf8', input, maxBuffer: MAX_BYTES, stdio: 'pipe' });

/** Evaluates queries and alerts. @throws Error for an expression that cannot be evaluated */
export const evaluateData = (program: string, data: QueriedData, queries: readonly Query[]): Evaluated =>
  responseSchema.parse(
    JSON.parse(runProgram(program, ['evaluate'], JSON.stringify({ intervalMs: MINUTE_MS, ...data, queries }))),
  );

const UNITS: Readonly<Record<string, number>> = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: 24 * HOUR_MS };

/** A duration in the notation of Prometheus, such as `5m`. */
export const parseDuration = (text: string): number =>
  [...text.matchAll(/(\d+)([smhd])/g)].reduce(
    (total, [, count, unit = 's']) => total + Number(count) * (UNITS[unit] ?? 0),
    0,
  );
