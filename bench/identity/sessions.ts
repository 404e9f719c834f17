import { Client, readObject, readText } from '../../scripts/demo/client';
import { makeDemoImages } from '../../scripts/demo/images';
import { readRunningService } from '../../scripts/demo/running-service';
import { startServiceMeter } from '../process-meters';
import type { ServiceUse } from '../process-meters';
import { percentile, report, roundTo } from '../report';
import { MINUTE_MS } from '../../domain/durations';

const DEFAULT_SESSIONS = 30;
const AT_ONCE = 4;
/** Long enough not to load the service: the uploads return when their checks have ended, shortly before the decision. */
const POLL_MS = 500;
const FINAL = ['approved', 'declined', 'in_review'];

/**
 * Creates a session, uploads passport and selfie, and waits for the decision. @returns milliseconds from creation to
 * decision
 */
async function verifySession(client: Client, images: Awaited<ReturnType<typeof makeDemoImages>>): Promise<number> {
  const start = performance.now();
  const sessionId = readText(
    readObject(await client.json('POST', '/v1/sessions', { externalId: 'bench' }), 'session'),
    'id',
  );
  await Promise.all([
    client.upload('/v1/documents/id-verification', { sessionId }, { frontImage: images.passport }),
    client.upload('/v1/biometrics/liveness', { sessionId }, { image: images.selfie }),
  ]);
  for (;;) {
    const session = readObject(await client.json('GET', `/v1/sessions/${sessionId}`), 'session');
    if (FINAL.includes(readText(session, 'status'))) return performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/**
 * Processor milliseconds per session by process, the shares of the machine's processors, and what orchestration adds to
 * the models.
 */
function describeUse({ capacity, ...used }: ServiceUse, sessions: number): Record<string, number> {
  const total = Object.values(used).reduce((sum, seconds) => sum + seconds, 0);
  const shares = { ...used, idleOrOthers: Math.max(0, capacity - total) };
  return Object.fromEntries<number>([
    ...Object.entries(used).map(
      ([name, seconds]) => [`${name}CpuMs`, roundTo((seconds * 1000) / sessions, 1)] as const,
    ),
    ...Object.entries(shares).map(
      ([name, seconds]) => [`${name}Percent`, roundTo((seconds / capacity) * 100, 1)] as const,
    ),
    ['orchestrationPerModelsPercent', roundTo(((total - used.models) / used.models) * 100, 1)],
  ]);
}

/** Verifies several sessions at once on the running service: document, liveness and face match each. */
export async function benchSessions(sessions = DEFAULT_SESSIONS): Promise<void> {
  const { api, identityApiKey } = readRunningService();
  const client = new Client(api, { authorization: `Bearer ${identityApiKey}` });
  const images = await makeDemoImages();
  await verifySession(client, images);
  const milliseconds: number[] = [];
  let remaining = sessions;
  const measureUse = startServiceMeter();
  const start = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (remaining > 0) {
        remaining -= 1;
        milliseconds.push(await verifySession(client, images));
      }
    }),
  );
  const minutes = (performance.now() - start) / MINUTE_MS;
  const use = measureUse();
  report('sessions', {
    sessions,
    atOnce: AT_ONCE,
    perMinute: roundTo(sessions / minutes),
    p50Ms: roundTo(percentile(milliseconds, 0.5), 1),
    p95Ms: roundTo(percentile(milliseconds, 0.95), 1),
    ...describeUse(use, sessions),
  });
}
