import { z } from 'zod';
import type { Egress, EgressResponse } from '../../../../lib/egress/egress';
import { RegisterClient } from '../../../../lib/registers/register-client';

const unused = () => Promise.reject(new Error('not used'));

/** A client whose register answers every query in this way. */
function createClient(response: Partial<EgressResponse>): RegisterClient {
  const answer = { status: 200, headers: {}, bodyStart: Buffer.from('{}'), truncated: false, ...response };
  const egress: Egress = {
    request: () => Promise.resolve(answer),
    resolveTarget: unused,
    findUrlProblem: () => undefined,
    close: () => Promise.resolve(),
  };
  return new RegisterClient(egress, { now: () => new Date('2026-11-28T00:00:00Z') }, 'https://register.example', {});
}

const query = (response: Partial<EgressResponse>) =>
  createClient(response).get('/company', z.object({ name: z.string() }));

test.each([301, 302, 303, 307, 308, 204, 206, 304])(
  'a response %i is one that cannot be read, and the register is queried again: its key was not refused',
  async (status) => {
    const headers = { location: 'https://other.example/' };
    await expect(query({ status, headers })).rejects.toMatchObject({ code: 'register_answer_invalid', status: 503 });
  },
);

test.each([
  [400, 'register_refused_question'],
  [405, 'register_refused_question'],
  [410, 'register_refused_question'],
  [422, 'register_refused_question'],
  [401, 'register_refused_key'],
  [403, 'register_refused_key'],
])('a response %i is %s, and the register is not queried again', async (status, code) => {
  await expect(query({ status })).rejects.toMatchObject({ code, status: 403 });
});

test.each([
  [408, 'register_error'],
  [429, 'register_rate_limited'],
  [500, 'register_error'],
  [503, 'register_error'],
])('a response %i is %s, and the register is queried again after the time that it asks for', async (status, code) => {
  const headers = { 'retry-after': 'Sat, 28 Nov 2026 00:00:07 GMT' };
  await expect(query({ status, headers })).rejects.toMatchObject({
    code,
    status: 503,
    details: { retryAfterSeconds: 7 },
  });
});

test('404 is an answer: the register does not have the record', async () => {
  expect(await query({ status: 404 })).toBeNull();
});

test.each<[string, Partial<EgressResponse>, string]>([
  ['that is cut off at the limit', { truncated: true }, 'register_answer_too_long'],
  ['that is no JSON', { bodyStart: Buffer.from('{"name": "A') }, 'register_answer_invalid'],
  ['that is null', { bodyStart: Buffer.from('null') }, 'register_answer_invalid'],
  ['with a wrong type', { bodyStart: Buffer.from('{"name": 5}') }, 'register_answer_invalid'],
])('a body %s leads to another query, not to an answer', async (_what, response, code) => {
  await expect(query(response)).rejects.toMatchObject({ code, status: 503 });
});
