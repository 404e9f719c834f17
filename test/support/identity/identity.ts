import { randomInt } from 'node:crypto';
import sharp from 'sharp';
import { z } from 'zod';
import { checkSchema } from '../../../api/identity/checks/check-responses';
import {
  pendingSessionSchema,
  sessionSchema,
  sessionSummarySchema,
} from '../../../api/identity/sessions/session-responses';
import { WebhookEvent } from '../../../models/platform/webhooks/webhook-event';
import { call } from '../client';
import type { ApiResponse, RequestOptions } from '../client';
import { getTestPlatform } from '../tenant';
import { pollUntilFound } from '../poll';

export type Session = z.infer<typeof sessionSchema>;
export type Check = z.infer<typeof checkSchema>;

/** Parses a response by its documented schema; undocumented fields fail. */
export function parseDocumented<T>(schema: z.ZodType<T>, { status, body }: ApiResponse, expected: number): T {
  if (status !== expected) throw new Error(`Expected ${expected}, got ${status}: ${JSON.stringify(body)}`);
  const parsed = schema.parse(body);
  expect({ ...body }).toEqual({ ok: true, ...parsed });
  return parsed;
}

const sessionBodySchema = z.object({ session: sessionSchema });
const checkBodySchema = z.object({ check: checkSchema });
const sessionPageSchema = z.object({
  sessions: z.array(sessionSummarySchema),
  total: z.number(),
  nextCursor: z.string().nullable(),
});
const pendingPageSchema = sessionPageSchema.extend({ sessions: z.array(pendingSessionSchema) });

/** The session of a response with the expected status, by its documented schema. */
export const parseSession = (response: ApiResponse, status = 200): Session =>
  parseDocumented(sessionBodySchema, response, status).session;

/** The check of a response with the expected status, by its documented schema; 202 while it is pending. */
export const parseCheck = (response: ApiResponse, status = 201): Check =>
  parseDocumented(checkBodySchema, response, status).check;

/** @throws Error unless the session is created (201) */
export async function createSession(key: string, json: object = {}, options: RequestOptions = {}): Promise<Session> {
  return parseSession(await call('POST', '/v1/sessions', { key, json, ...options }), 201);
}

/** @throws Error unless the session is found */
export async function getSession(key: string, id: string, options: RequestOptions = {}): Promise<Session> {
  return parseSession(await call('GET', `/v1/sessions/${id}`, { key, ...options }));
}

/** @param query begins with `?` */
export async function listSessions(key: string, query = ''): Promise<z.infer<typeof sessionPageSchema>> {
  return parseDocumented(sessionPageSchema, await call('GET', `/v1/sessions${query}`, { key }), 200);
}

/** The sessions that wait for a reviewer. @param query begins with `?` */
export async function listPending(key: string, query = ''): Promise<z.infer<typeof pendingPageSchema>> {
  return parseDocumented(pendingPageSchema, await call('GET', `/v1/sessions/pending${query}`, { key }), 200);
}

type Form = NonNullable<RequestOptions['form']>;

/** @param query begins with `?`; without `?wait=0` the response waits for the result */
export const postLiveness = (key: string, form: Form, options: RequestOptions = {}, query = ''): Promise<ApiResponse> =>
  call('POST', `/v1/biometrics/liveness${query}`, { key, form, ...options });

/** @param query begins with `?`; without `?wait=0` the response waits for the result */
export const postDocument = (key: string, form: Form, options: RequestOptions = {}, query = ''): Promise<ApiResponse> =>
  call('POST', `/v1/documents/id-verification${query}`, { key, form, ...options });

/** @param query begins with `?`; without `?wait=0` the response waits for the result */
export const postFaceMatch = (
  key: string,
  form: Form,
  options: RequestOptions = {},
  query = '',
): Promise<ApiResponse> => call('POST', `/v1/biometrics/face-match${query}`, { key, form, ...options });

/** Decides as a reviewer; the response is not checked, so that refusals can be tested. */
export const postDecision = (
  key: string,
  sessionId: string,
  json: object,
  options: RequestOptions = {},
): Promise<ApiResponse> => call('POST', `/v1/sessions/${sessionId}/decision`, { key, json, ...options });

const randomChannel = (): number => randomInt(96, 160);

/** An image without a face, of one random colour so that every file is different. */
export const createFacelessImage = (width = 320, height = 240): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: { r: randomChannel(), g: randomChannel(), b: randomChannel() } },
  })
    .jpeg()
    .toBuffer();

/** An image of noise without a face, which takes the engine some time to process. */
export const createNoisyImage = (width: number, height: number): Promise<Buffer> =>
  sharp({
    create: { width, height, channels: 3, background: '#808080', noise: { type: 'gaussian', mean: 128, sigma: 30 } },
  })
    .jpeg()
    .toBuffer();

/** Polls a session until it has one of the statuses; limited by the timeout of the test. */
export const waitForStatus = (key: string, id: string, ...statuses: Session['status'][]): Promise<Session> =>
  pollUntilFound(async () => {
    const session = await getSession(key, id);
    return statuses.includes(session.status) ? session : undefined;
  });

/** Reads a check until it has ended; limited by the timeout of the test. */
export async function waitForCheck(key: string, id: string): Promise<Check> {
  for (;;) {
    const check = parseCheck(await call('GET', `/v1/checks/${id}?wait=60`, { key }), 200);
    if (check.status !== 'processing') return check;
  }
}

/** Uses every attempt of the liveness step, after which the session is in review. */
export async function exhaustLiveness(key: string, sessionId: string): Promise<Session> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const form = { sessionId, image: { body: await createFacelessImage() } };
    parseCheck(await postLiveness(key, form));
  }
  return waitForStatus(key, sessionId, 'in_review');
}

/** Creates a session in review: its only step has no attempts left, and none was approved. */
export async function createSessionInReview(key: string): Promise<Session> {
  const { id } = await createSession(key, { features: ['liveness'] });
  return exhaustLiveness(key, id);
}

/** Types of the events emitted for a session or check, in order. */
export async function listEventTypes(subjectId: string): Promise<string[]> {
  await getTestPlatform();
  const events = await WebhookEvent.find({ subjectId }).sort({ _id: 1 }).lean();
  return events.map(({ type }) => type);
}
