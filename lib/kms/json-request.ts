import { request } from 'undici';
import type { Dispatcher } from 'undici';
import type { z } from 'zod';
import { KMS_TIMEOUT_MS, KmsError } from './kms';

const MAX_REASON_LENGTH = 300;

/** A JSON request to a key management service. Its address is set by the operator, so it may be private. */
export interface JsonRequest {
  /** Name of the service for messages. */
  service: string;
  url: string;
  headers: Record<string, string>;
  body: object;
  dispatcher?: Dispatcher | undefined;
}

/** Statuses of requests that are refused again; 401, 403 and 429 may be remedied meanwhile. */
const isPermanentStatus = (status: number): boolean => status === 400 || status === 404;

/**
 * Posts JSON and parses the response.
 * @throws KmsError if the service does not respond, refuses, or answers something else
 */
export async function postJson<T>({ service, url, headers, body, dispatcher }: JsonRequest, schema: z.ZodType<T>) {
  const send = async (): Promise<{ status: number; text: string }> => {
    const response = await request(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      headersTimeout: KMS_TIMEOUT_MS,
      bodyTimeout: KMS_TIMEOUT_MS,
      ...(dispatcher === undefined ? {} : { dispatcher }),
    });
    return { status: response.statusCode, text: await response.body.text() };
  };
  const { status, text } = await send().catch((error: unknown) => {
    throw new KmsError(`${service} does not respond (${String(error)}).`, false, { cause: error });
  });
  if (status >= 300)
    throw new KmsError(`${service} answered ${status}: ${text.slice(0, MAX_REASON_LENGTH)}`, isPermanentStatus(status));
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new KmsError(`${service} answered something else than expected.`, false, { cause: error });
  }
}
