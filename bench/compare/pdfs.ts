import { setTimeout as delay } from 'node:timers/promises';
import { renderDocumentHtml } from '../../activities/rendering/template/document';
import { buildPrintableDocument } from '../../domain/business/documents/build-printable-document';
import { createDownload, issueInvoices, LINES, mapConcurrently, signIn } from '../business/invoice-downloads';
import { buildInvoiceSnapshot } from '../business/invoice-snapshot';
import { percentile, roundTo } from '../report';
import type { Figures } from './figures';
import { connectToGotenberg } from './gotenberg';

const WARM_UP = 5;
const SINGLE = 50;
/** Documents of a client that requests the next one as soon as it has the one before. */
const IN_A_ROW = 25;
const BULK = 160;
const AT_ONCE = 16;
/** Runs in a row and bulk runs of each side, in turn, so that other load of the machine meets both. */
const ROUNDS = 2;

/** Documents after a pause in which every activity that waits for a further one has ended. */
const AFTER_LONG_PAUSE = 15;
const LONG_PAUSE_MS = 4000;

/** After a response, a browser still closes pages or restarts, which would count for the side that is measured next. */
const SETTLE_SINGLE_MS = 300;
const SETTLE_BULK_MS = 3000;

/** Renders one invoice. @returns milliseconds */
type Render = (index: number) => Promise<number>;

async function buildOurRender(): Promise<Render> {
  const { api, token, client } = await signIn();
  const ids = await issueInvoices(client, WARM_UP + SINGLE + AFTER_LONG_PAUSE + ROUNDS * (IN_A_ROW + BULK));
  const download = createDownload(api, token);
  return (index) => download(ids[index] ?? 0, 'pdf');
}

function buildOtherRender(convert: (html: string) => Promise<Buffer>): Render {
  return async (index) => {
    const document = buildPrintableDocument(buildInvoiceSnapshot(index, LINES), { logo: null, voidedOn: null });
    const html = renderDocumentHtml(document);
    const started = performance.now();
    const pdf = await convert(html);
    if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) throw new Error('Gotenberg did not return a PDF.');
    return performance.now() - started;
  };
}

/** One document at a time, both sides in turn, each after a pause. @returns milliseconds of each */
async function measureSingles(
  renders: readonly Render[],
  { pauseMs, first, count }: { pauseMs: number; first: number; count: number },
): Promise<number[][]> {
  const times = renders.map((): number[] => []);
  for (let index = first; index < first + count; index += 1) {
    for (const [side, render] of renders.entries()) {
      await delay(pauseMs);
      times[side]?.push(await render(index));
    }
  }
  return times;
}

/** One right after the other, both sides in turn. @returns milliseconds of each */
async function measureInARow(renders: readonly Render[], first: number): Promise<number[][]> {
  const times = renders.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [side, render] of renders.entries()) {
      await delay(SETTLE_BULK_MS);
      for (let index = 0; index < IN_A_ROW; index += 1)
        times[side]?.push(await render(first + round * IN_A_ROW + index));
    }
  }
  return times;
}

/** Many at once, both sides in turn. @returns documents per second of each */
async function measureBulk(renders: readonly Render[], first: number): Promise<number[]> {
  const seconds = renders.map(() => 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const indexes = Array.from({ length: BULK }, (_, index) => first + round * BULK + index);
    for (const [side, render] of renders.entries()) {
      await delay(SETTLE_BULK_MS);
      const run = await mapConcurrently(indexes, AT_ONCE, render);
      seconds[side] = (seconds[side] ?? 0) + run.seconds;
    }
  }
  return seconds.map((total) => (ROUNDS * BULK) / total);
}

/**
 * Invoices of eight lines printed by this service and by a running Gotenberg from pages of the same template, over HTTP:
 * one at a time after a short and a long pause, one right after the other, and 16 at once. This service also reads the records, encrypts the
 * file and stores it.
 * @param address of Gotenberg
 */
export async function comparePdfs(address: string): Promise<Figures> {
  const gotenberg = await connectToGotenberg(address);
  const renders = [await buildOurRender(), buildOtherRender((html) => gotenberg.convert(html))];
  const measure = (pauseMs: number, first: number, count: number) => measureSingles(renders, { pauseMs, first, count });
  await measure(SETTLE_SINGLE_MS, 0, WARM_UP);
  const [ours = [], theirs = []] = await measure(SETTLE_SINGLE_MS, WARM_UP, SINGLE);
  const [ourLong = [], theirLong = []] = await measure(LONG_PAUSE_MS, WARM_UP + SINGLE, AFTER_LONG_PAUSE);
  const firstInARow = WARM_UP + SINGLE + AFTER_LONG_PAUSE;
  const [ourRow = [], theirRow = []] = await measureInARow(renders, firstInARow);
  const [ourRate = 0, theirRate = 0] = await measureBulk(renders, firstInARow + ROUNDS * IN_A_ROW);
  const describe = (
    times: readonly number[],
    afterLongPause: readonly number[],
    inARow: readonly number[],
    rate: number,
  ) => ({
    p50Ms: roundTo(percentile(times, 0.5), 1),
    p95Ms: roundTo(percentile(times, 0.95), 1),
    longPauseP50Ms: roundTo(percentile(afterLongPause, 0.5), 1),
    longPauseP95Ms: roundTo(percentile(afterLongPause, 0.95), 1),
    inARowP50Ms: roundTo(percentile(inARow, 0.5), 1),
    inARowP95Ms: roundTo(percentile(inARow, 0.95), 1),
    [`perSecond${AT_ONCE}AtOnce`]: roundTo(rate, 1),
  });
  const others = Object.entries(describe(theirs, theirLong, theirRow, theirRate));
  return {
    lines: LINES,
    ...describe(ours, ourLong, ourRow, ourRate),
    gotenbergVersion: gotenberg.version,
    ...Object.fromEntries(others.map(([key, value]) => [`gotenberg_${key}`, value])),
    latencyPerGotenberg: roundTo(percentile(ours, 0.5) / percentile(theirs, 0.5), 2),
    longPauseLatencyPerGotenberg: roundTo(percentile(ourLong, 0.5) / percentile(theirLong, 0.5), 2),
    inARowLatencyPerGotenberg: roundTo(percentile(ourRow, 0.5) / percentile(theirRow, 0.5), 2),
    ratePerGotenberg: roundTo(ourRate / theirRate, 2),
  };
}
