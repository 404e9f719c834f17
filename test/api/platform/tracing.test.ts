import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { z } from 'zod';
import { loadSelfie } from '../../../scripts/demo/photos';
import { call } from '../../support/client';
import { pollUntilFound } from '../../support/poll';
import { startReceiver } from '../../support/receiver';
import { closeTestPlatform, createTenant } from '../../support/tenant';
import { registerWebhook } from '../../support/webhooks';

const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  attributes: z.array(z.object({ key: z.string() })),
});
type Span = z.infer<typeof spanSchema>;

const exportSchema = z.object({
  resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })),
});

let server: Server;
let sent = '';
const spans: Span[] = [];

/** A receiver of traces, at the address that the processes of the stack send to. */
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      sent += body;
      for (const { scopeSpans } of exportSchema.parse(JSON.parse(body)).resourceSpans)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const port = Number(process.env['VOUCH_TEST_TRACES_PORT']);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve).closeAllConnections());
  await closeTestPlatform();
});

/** Names of a span and of those that contain it, from the outermost. */
const listPath = (span: Span | undefined): string[] =>
  span === undefined ? [] : [...listPath(spans.find(({ spanId }) => spanId === span.parentSpanId)), span.name];

test('one trace leads from a request through outbox, workflow and activity to the delivery, without personal data', async () => {
  const tenant = await createTenant('Traced');
  const receiver = await startReceiver();
  await registerWebhook(tenant.identityKey, receiver.url, ['check.completed']);
  const traceId = randomBytes(16).toString('hex');
  const form = { image: { body: await loadSelfie('anna') } };
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  expect((await call('POST', '/v1/biometrics/age', { key: tenant.identityKey, form, headers })).status).toBe(201);
  const delivery = await receiver.waitFor(({ body }) => body.includes('check.completed'));
  const attempt = await pollUntilFound(() =>
    Promise.resolve(spans.find((span) => span.name === 'deliver event' && listPath(span).length === 6)),
  );
  expect(listPath(attempt)).toEqual([
    'POST /v1/biometrics/age',
    'dispatch outbox row',
    'StartWorkflow:check',
    'RunWorkflow:check',
    'RunActivity:runCheck',
    'deliver event',
  ]);
  const run = spans.find(({ name }) => name === 'RunWorkflow:check');
  expect(run?.attributes.map(({ key }) => key).sort()).toEqual(['run_id', 'temporalWorkflowId']);
  // Other requests come without a sampled trace.
  expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]));
  expect(delivery.headers).not.toHaveProperty('traceparent');
  for (const secret of [tenant.identityKey, receiver.hostPort, 'anna', 'stack']) expect(sent).not.toContain(secret);
  await receiver.close();
});
