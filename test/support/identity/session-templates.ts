import { call } from '../client';

export const SESSION_WORKFLOWS_PATH = '/v1/sessions/workflows';

export interface SessionWorkflow extends Record<string, unknown> {
  id: string;
  version: number;
}

/** @param body of a response that has one session workflow */
export const parseSessionWorkflow = (body: Record<string, unknown>): SessionWorkflow =>
  body['workflow'] as SessionWorkflow;

/** Creates a session template with a key of either mode. */
export async function createSessionWorkflow(key: string, json: object): Promise<SessionWorkflow> {
  const { status, body } = await call('POST', SESSION_WORKFLOWS_PATH, { key, json });
  expect({ status, body }).toMatchObject({ status: 201, body: { ok: true } });
  return parseSessionWorkflow(body);
}
