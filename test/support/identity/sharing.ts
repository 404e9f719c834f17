import { makeDemoImages } from '../../../scripts/demo/images';
import type { DemoImages } from '../../../scripts/demo/images';
import { call } from '../client';
import type { Answer } from '../client';
import { asCheck, createSession, postDocument, untilStatus } from './identity';
import { createTenant } from '../tenant';
import type { Tenant } from '../tenant';

/** What the person agrees to in these tests. */
export const CONSENT = 'I, Anna Eriksson, agree that Lender receives my verification.';

/** Two organisations, one with an approved session to share and one to take it up. */
export interface SharingWorld {
  bank: Tenant;
  lender: Tenant;
  images: DemoImages;
  sessionId: string;
  /** A session of the bank that its passport got approved. */
  approved: (options?: object) => Promise<string>;
  share: (json?: object, id?: string, key?: string) => Promise<Answer>;
  tokenOf: (json?: object, id?: string) => Promise<string>;
  take: (shareToken: string, json?: object, key?: string) => Promise<Answer>;
}

export async function createSharingWorld(): Promise<SharingWorld> {
  const [bank, lender, images] = await Promise.all([createTenant('Bank'), createTenant('Lender'), makeDemoImages()]);

  const approved: SharingWorld['approved'] = async (options = {}) => {
    const { id } = await createSession(bank.identityKey, {
      features: ['id'],
      externalId: 'bank-internal-17',
      metadata: { branch: 'Lyon' },
      contact: { email: 'anna@example.com' },
      ...options,
    });
    asCheck(await postDocument(bank.identityKey, { sessionId: id, frontImage: images.passport }));
    await untilStatus(bank.identityKey, id, 'approved');
    return id;
  };
  const sessionId = await approved();

  const share: SharingWorld['share'] = (json = {}, id = sessionId, key = bank.identityKey) =>
    call('POST', `/v1/sessions/${id}/share`, { key, json: { consentText: CONSENT, ...json } });

  const tokenOf: SharingWorld['tokenOf'] = async (json = {}, id = sessionId) => {
    const answer = await share(json, id);
    expect([answer.status, answer.body['error']]).toEqual([201, undefined]);
    return String(answer.body['shareToken']);
  };

  const take: SharingWorld['take'] = (shareToken, json = {}, key = lender.identityKey) =>
    call('POST', '/v1/sessions/import', { key, json: { shareToken, ...json } });

  return { bank, lender, images, sessionId, approved, share, tokenOf, take };
}

/** Status and error code of a refusal. */
export const codeOf = ({ status, body }: Answer): [number, string] => [
  status,
  (body['error'] as { code: string }).code,
];
