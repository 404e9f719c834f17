import { randomBytes } from 'node:crypto';
import { getData } from './client';
import type { BusinessClient } from './client';

/** Paths of the administration. */
export const USERS_PATH = '/api/admin/users';
export const KEYS_PATH = '/api/admin/api-keys';
export const WEBHOOKS_PATH = '/api/admin/webhooks';

/** An address that no other user of any organisation has. */
export const uniqueEmail = (): string => `user.${randomBytes(6).toString('hex')}@tenant.example`;

/** A user who can sign in. */
export interface Account {
  id: number;
  email: string;
  password: string;
}

/** Creates a user with a generated password. */
export async function addUser(owner: BusinessClient, role: string, name = 'Robin Meyer'): Promise<Account> {
  const response = await owner.post(USERS_PATH, { email: uniqueEmail(), name, role });
  expect(response.status).toBe(201);
  const { id, email, password } = getData(response);
  return { id: Number(id), email: String(email), password: String(password) };
}
