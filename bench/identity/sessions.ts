import { setTimeout as delay } from 'node:timers/promises';
import { Client, readObject, readText } from '../../scripts/demo/client';
import { makeDemoImages } from '../../scripts/demo/images';
import { readRunningService } from '../../scripts/demo/running-service';
import { readLoadAverage, startServiceMeter } from '../process-meters';
import type { ServiceUse } from '../process-meters';
import { percentile, report, roundTo } from '../report';

const DEFAULT_SESSIONS = 30;
const AT_ONCE = 4;
/** Sessions before the measurement. */
const WARM_UP = 3;
/** Long enough not to load the service: the uploads return when their checks have ended, shortly before the decision. */
const POLL_MS = 500;
const FINAL = ['approved', 'declined', 'in_review'];

type DemoImages = Awaited<ReturnType<typeof makeDemoImages>>;

/**
 * Creates a session, uploads passport and selfie, and waits for the decision.
 * @param createdIds receives the id of the session
 * @returns milliseconds from creation to decision
 */
async function verifySession(client: Client, images: DemoImages, createdIds: string[]): Promise<number> {
  const start = performance.now();
  const sessionId = readText(
    readObject(await client.json('POST', '/v1/sessions', { externalId: 'bench' }), 'session'),
    'id',
  );
  createdIds.push(sessionId);
  await Promise.all([
    client.upload('/v1/documents/id-verification', { sessionId }, { frontImage: images.passport }),
    client.upload('/v1/biometrics/liveness', { sessionId }, { image: images.selfie }),
  ]);
  for (;;) {
    const session = readObject(await client.json('GET', `/v1/sessions/${sessionId}`), 'session');
    if (FINAL.includes(readText(session, 'status'))) return performance.now() - start;
    await delay(POLL_MS);
  }
}

/** Time without requests before the measurement, after what earlier requests have caused. */
const SETTLE_MS = 5_000;
const REST_MS = 20_000;

/** What the service uses without requests, in processor seconds per second of time. */
async function measureRest(): Promise<number> {
  await delay(SETTLE_MS);
  const measureUse = startServiceMeter();
  await delay(REST_MS);
  return sumUse(measureUse()) / (REST_MS / 1000);
}

const sumUse = ({ models, workers, temporal, mongodb, objects, api }: ServiceUse): number =>
  models + workers + temporal + mongodb + objects + api;

/**
 * Processor milliseconds per session by process, the shares of the machine's processors, and what orchestration adds to
 * the models: everything else that the service uses, with and without what it uses at rest.
 * @param seconds time that the sessions took
 * @param rest as returned by {@link measureRest}
 */
function describeUse(
  { capacity, ...used }: ServiceUse,
  sessions: number,
  seconds: number,
  rest: number,
): Record<string, number> {
  const total = Object.values(used).reduce((sum, each) => sum + each, 0);
  const shares = { ...used, idleOrOthers: Math.max(0, capacity - total) };
  const others = total - used.models;
  const restInRun = Math.min(others, rest * seconds);
  return Object.fromEntries<number>([
    ...Object.entries(used).map(([name, each]) => [`${name}CpuMs`, roundTo((each * 1000) / sessions, 1)] as const),
    ...Object.entries(shares).map(([name, each]) => [`${name}Percent`, roundTo((each / capacity) * 100, 1)] as const),
    ['restCpuMsPerSecond', roundTo(rest * 1000, 1)],
    ['restCpuMs', roundTo((restInRun * 1000) / sessions, 1)],
    ['orchestrationPerModelsPercent', roundTo((others / used.models) * 100, 1)],
    ['orchestrationWithoutRestPerModelsPercent', roundTo(((others - restInRun) / used.models) * 100, 1)],
  ]);
}

/** Erases sessions: every later session with the specimens would find their face and document under another identity. */
async function eraseSessions(client: Client, sessionIds: readonly string[]): Promise<void> {
  for (const sessionId of sessionIds) await client.json('DELETE', `/v1/sessions/${sessionId}`);
}

/** Verifies several sessions at once on the running service: document, liveness and face match each. */
export async function benchSessions(sessions = DEFAULT_SESSIONS): Promise<void> {
  const { api, identityApiKey } = readRunningService();
  const client = new Client(api, { authorization: `Bearer ${identityApiKey}` });
  const createdIds: string[] = [];
  try {
    await measureSessions(client, sessions, createdIds);
  } finally {
    await eraseSessions(client, createdIds);
  }
}

/** @param createdIds receives the ids of the sessions */
async function measureSessions(client: Client, sessions: number, createdIds: string[]): Promise<void> {
  const images = await makeDemoImages();
  for (let count = 0; count < WARM_UP; count += 1) await verifySession(client, images, createdIds);
  const rest = await measureRest();
  const milliseconds: number[] = [];
  let remaining = sessions;
  const measureUse = startServiceMeter();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (remaining > 0) {
        remaining -= 1;
        milliseconds.push(await verifySession(client, images, createdIds));
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  const use = measureUse();
  report('sessions', {
    sessions,
    atOnce: AT_ONCE,
    perMinute: roundTo((sessions / seconds) * 60, 1),
    p50Ms: roundTo(percentile(milliseconds, 0.5), 1),
    p95Ms: roundTo(percentile(milliseconds, 0.95), 1),
    ...describeUse(use, sessions, seconds, rest),
    load: readLoadAverage(),
  });
}
