import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeDemoImages } from '../../scripts/demo/images';
import { readRunningService } from '../../scripts/demo/running-service';
import { WebhookReceiver } from '../../scripts/demo/webhook-receiver';
import { Load } from '../load/load';
import { RetryingClient, signIn } from '../load/retrying-client';
import { readLoadAverage } from '../process-meters';
import { report, roundTo } from '../report';
import { drawChart } from './chart';
import { HistoryReader, takeSample } from './samples';
import type { Sample } from './samples';
import { buildSeries, computeTrend } from './trend';

const SAMPLE_SECONDS = 30;
const INITIAL_STOCK = 1_000_000;
/** A low rate: about a tenth of a core. */
const INTERVALS = { session: 30, sale: 10, export: 120 };

export interface SoakOptions {
  minutes: number;
  /** Factor of the rate; 1 is a session every 30 seconds and a sale every 10. */
  rate: number;
  /** Folder for the samples and the chart. */
  folder: string;
}

async function openReceiver(identity: RetryingClient, port: number): Promise<WebhookReceiver> {
  const receiver = await WebhookReceiver.listen(port);
  const json = { url: receiver.url, events: ['session.completed', 'session.declined', 'invoice.issued'] };
  await identity.expect([201], 'POST', '/v1/webhooks', { json });
  return receiver;
}

async function sampleUntil(
  endMs: number,
  load: Load,
  { histories, folder }: { histories: HistoryReader; folder: string },
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const startedAtMs = performance.now();
  while (performance.now() < endMs) {
    await delay(SAMPLE_SECONDS * 1000);
    const counts = {
      sessions: load.sessions.size,
      sales: load.sales.length,
      exports: load.exports,
      errors: load.errors.length,
    };
    const sample = await takeSample(startedAtMs, histories, counts);
    samples.push(sample);
    await appendFile(path.join(folder, 'samples.jsonl'), `${JSON.stringify(sample)}\n`);
    await writeFile(path.join(folder, 'soak.svg'), drawChart(buildSeries(samples)));
  }
  return samples;
}

/** Processor time of all processes between two samples, as a share of one core. */
function computeCoreShare(first: Sample, last: Sample): number {
  const sum = ({ processes }: Sample): number =>
    Object.values(processes).reduce((total, { cpuSeconds }) => total + cpuSeconds, 0);
  return roundTo((sum(last) - sum(first)) / ((last.minute - first.minute) * 60), 3);
}

/** Mixed load on the running service for a long time: memory, open files and histories must not grow. */
export async function benchSoak({ minutes, rate, folder }: SoakOptions): Promise<void> {
  const run = readRunningService();
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'samples.jsonl'), '');
  const identity = new RetryingClient({ api: () => run.api, signIn: () => ({ key: run.identityApiKey }) });
  const business = new RetryingClient({ api: () => run.api, signIn: () => signIn(run.api, run.admin) });
  const receiver = await openReceiver(identity, run.demoReceiverPort);
  const histories = await HistoryReader.connect();
  const intervals = {
    session: INTERVALS.session / rate,
    sale: INTERVALS.sale / rate,
    export: INTERVALS.export / rate,
  };
  const load = await Load.prepare({
    identity,
    business,
    images: await makeDemoImages(),
    intervals,
    initialStock: INITIAL_STOCK,
  });
  load.start();
  const samples = await sampleUntil(performance.now() + minutes * 60_000, load, { histories, folder });
  await load.stop();
  await histories.close();
  await receiver.close();
  const [first, last] = [samples[0], samples.at(-1)];
  if (first === undefined || last === undefined) throw new Error('No sample was taken.');
  const trends = buildSeries(samples).map(computeTrend);
  report('soak', {
    minutes,
    sessions: load.sessions.size,
    sales: load.sales.length,
    exports: load.exports,
    errors: load.errors.map(({ message }) => message).join('; ') || 'none',
    coreShare: samples.length > 1 ? computeCoreShare(first, last) : 'not measured',
    machineLoad: readLoadAverage(),
    ...Object.fromEntries(
      trends.map(({ panel, name, third, last: end, flat }) => [
        `${name} (${panel})`,
        `${third} → ${end}${flat ? '' : ' GROWS'}`,
      ]),
    ),
    chart: path.join(folder, 'soak.svg'),
  });
  if (load.errors.length > 0 || trends.some(({ flat }) => !flat)) process.exitCode = 1;
}
