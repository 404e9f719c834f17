import { RetryingClient } from '../../bench/load/retrying-client';
import { call } from '../support/client';
import { createFacelessImage } from '../support/identity/identity';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';

const COUNT = 8;
/** Processes killed one after another while sessions are erased. */
const VICTIMS = ['worker', 'api', 'temporal', 's3'] as const;

interface Receipt {
  id: string;
  recordId: string;
  status: string;
  evidence: unknown[];
  objectsRemoved: number | null;
  collections: { name: string; removed: number }[];
}

describe('erasure while processes are killed', () => {
  let stack: SharedStack;
  let client: RetryingClient;
  const sessions: string[] = [];

  beforeAll(async () => {
    stack = await shareOwnStack();
    const { identityApiKey: key } = stack.run();
    client = new RetryingClient({ api: () => stack.run().api, signIn: () => ({ key }) });
    for (let count = 0; count < COUNT; count += 1) {
      const { body } = await client.request('POST', '/v1/sessions', { json: { features: ['liveness'] } });
      const { id } = body['session'] as { id: string };
      const form = { sessionId: id, image: { body: await createFacelessImage() } };
      await client.request('POST', '/v1/biometrics/liveness', { form });
      sessions.push(id);
    }
  });

  test('every recorded erasure completes, counts each row once and leaves no readable record', async () => {
    const { identityApiKey: key } = stack.run();
    const receipts = new Map<string, string>();
    for (const [index, id] of sessions.entries()) {
      const victim = index % 2 === 0 ? VICTIMS[index / 2] : undefined;
      // An interrupted request may have been recorded; a repeated request must then return 404.
      const pendingDeletion = call('DELETE', `/v1/sessions/${id}`, { key, api: stack.run().api }).catch(() => null);
      if (victim !== undefined) stack.kill(victim);
      const response = await pendingDeletion;
      if (victim !== undefined) await stack.waitUntilReady();
      const erasure = response?.body['erasure'] as Receipt | undefined;
      if (erasure !== undefined) receipts.set(id, erasure.id);
    }
    for (const id of sessions) {
      if (receipts.has(id)) continue;
      const again = await client.request('DELETE', `/v1/sessions/${id}`);
      const erasure = again.body['erasure'] as Receipt | undefined;
      if (erasure !== undefined) receipts.set(id, erasure.id);
      else expect(again.status).toBe(404);
    }
    expect(receipts.size).toBeGreaterThanOrEqual(COUNT - VICTIMS.length);
    for (const [recordId, erasureId] of receipts) {
      const receipt = await client.pollUntil(`/v1/erasures/${erasureId}`, (body) => {
        const found = body['erasure'] as Receipt;
        return found.status === 'completed' ? found : null;
      });
      const rows = Object.fromEntries(receipt.collections.map(({ name, removed }) => [name, removed]));
      expect({ recordId: receipt.recordId, objects: receipt.objectsRemoved, rows }).toMatchObject({
        recordId,
        objects: 1,
        rows: { sessions: 1, checks: 1, evidence: 1 },
      });
      expect((await client.request('GET', `/v1/sessions/${recordId}`)).status).toBe(404);
    }
  });
});
