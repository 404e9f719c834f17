import { createHmac, timingSafeEqual } from 'node:crypto';
import { getCurrentWrappingKey, readWrappingKey } from './wrapping-keys';
import type { KeyContext } from './wrapping-keys';

const computeCode = (key: Buffer, message: string): Buffer =>
  createHmac('sha256', key).update(`code:${message}`).digest();

/**
 * A code of a message under the current wrapping key of an organisation, for short-lived records: it can be verified
 * while that key exists.
 */
export async function authenticate(platform: KeyContext, organisationId: string, message: string): Promise<string> {
  const { generation, key } = await getCurrentWrappingKey(platform, organisationId);
  return `${generation}:${computeCode(key, message).toString('hex')}`;
}

/** Whether a code authenticates a message under the wrapping key that it names. */
export async function isAuthentic(
  platform: KeyContext,
  organisationId: string,
  code: string,
  message: string,
): Promise<boolean> {
  const [generation = '', given = ''] = code.split(':');
  const key = await readWrappingKey(platform, organisationId, generation);
  if (key === null) return false;
  const expected = computeCode(key, message);
  const bytes = Buffer.from(given, 'hex');
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
