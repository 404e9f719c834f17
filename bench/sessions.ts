import { Client, part, text } from '../scripts/demo/client';
import { makeDemoImages } from '../scripts/demo/images';
import { runningService } from '../scripts/demo/running-service';
import { percentile, report, rounded } from './report';

const SESSIONS = 30;
const AT_ONCE = 4;
/** Often enough to see a decision, seldom enough to leave the processor to the service. */
const POLL_MS = 50;
const FINAL = ['approved', 'declined', 'in_review'];

/** A whole session through HTTP: created, passport, selfie, decided. @returns ms from creation to decision */
async function verify(client: Client, images: Awaited<ReturnType<typeof makeDemoImages>>): Promise<number> {
  const start = performance.now();
  const sessionId = text(part(await client.json('POST', '/v1/sessions', { externalId: 'bench' }), 'session'), 'id');
  await Promise.all([
    client.upload('/v1/documents/id-verification', { sessionId }, { frontImage: images.passport }),
    client.upload('/v1/biometrics/liveness', { sessionId }, { image: images.selfie }),
  ]);
  for (;;) {
    const session = part(await client.json('GET', `/v1/sessions/${sessionId}`), 'session');
    if (FINAL.includes(text(session, 'status'))) return performance.now() - start;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Sessions a minute on the running stack, several at once: document, liveness and face match each. */
export async function benchSessions(): Promise<void> {
  const { api, identityApiKey } = runningService();
  const client = new Client(api, { authorization: `Bearer ${identityApiKey}` });
  const images = await makeDemoImages();
  await verify(client, images);
  const milliseconds: number[] = [];
  let left = SESSIONS;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left > 0) {
        left -= 1;
        milliseconds.push(await verify(client, images));
      }
    }),
  );
  const minutes = (performance.now() - start) / 60_000;
  report('sessions', {
    sessions: SESSIONS,
    atOnce: AT_ONCE,
    perMinute: rounded(SESSIONS / minutes),
    p50Ms: rounded(percentile(milliseconds, 0.5), 1),
    p95Ms: rounded(percentile(milliseconds, 0.95), 1),
  });
}
