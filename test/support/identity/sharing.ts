import { makeDemoImages } from '../../../scripts/demo/images';
import type { DemoImages } from '../../../scripts/demo/images';
import { call } from '../client';
import type { ApiResponse } from '../client';
import { parseCheck, createSession, postDocument, waitForStatus } from './identity';
import { createIdentityTenant } from '../tenant';
import type { IdentityTenant } from '../tenant';

/** The consent given by the person in these tests. */
export const CONSENT = 'I, Anna Eriksson, agree that Lender receives my verification.';

/** Two organisations: one with an approved session to share, and one that imports it. */
export interface SharingFixture {
  bank: IdentityTenant;
  lender: IdentityTenant;
  images: DemoImages;
  sessionId: string;
  /** A session of the bank, approved by its passport. */
  createApprovedSession: (options?: object) => Promise<string>;
  share: (json?: object, id?: string, key?: string) => Promise<ApiResponse>;
  /** Sets the organisations that the lender trusts; the bank at first. */
  trust: (organisationIds: string[], key?: string) => Promise<ApiResponse>;
  createShareToken: (json?: object, id?: string) => Promise<string>;
  importShare: (shareToken: string, json?: object, key?: string) => Promise<ApiResponse>;
}

/** Creates both organisations and the session, which takes one verification of a document. */
export async function createSharingFixture(): Promise<SharingFixture> {
  const [bank, lender, images] = await Promise.all([
    createIdentityTenant('Bank'),
    createIdentityTenant('Lender'),
    makeDemoImages(),
  ]);

  const createApprovedSession: SharingFixture['createApprovedSession'] = async (options = {}) => {
    const { id } = await createSession(bank.identityKey, {
      features: ['id'],
      externalId: 'bank-internal-17',
      metadata: { branch: 'Lyon' },
      contact: { email: 'anna@example.com' },
      expected: { firstName: 'Anna Maria', lastName: 'Eriksson' },
      ...options,
    });
    parseCheck(await postDocument(bank.identityKey, { sessionId: id, frontImage: images.passport }));
    await waitForStatus(bank.identityKey, id, 'approved');
    return id;
  };
  const sessionId = await createApprovedSession();

  const share: SharingFixture['share'] = (json = {}, id = sessionId, key = bank.identityKey) =>
    call('POST', `/v1/sessions/${id}/share`, { key, json: { consentText: CONSENT, ...json } });

  const createShareToken: SharingFixture['createShareToken'] = async (json = {}, id = sessionId) => {
    const response = await share(json, id);
    expect([response.status, response.body['error']]).toEqual([201, undefined]);
    return String(response.body['shareToken']);
  };

  const importShare: SharingFixture['importShare'] = (shareToken, json = {}, key = lender.identityKey) =>
    call('POST', '/v1/sessions/import', { key, json: { shareToken, ...json } });

  const trust: SharingFixture['trust'] = (organisationIds, key = lender.identityKey) =>
    call('PUT', '/v1/sharing/trusted-organisations', { key, json: { organisationIds } });
  await trust([bank.organisationId]);

  return { bank, lender, images, sessionId, trust, createApprovedSession, share, createShareToken, importShare };
}

/** Status and error code of a rejection. */
export const getStatusAndCode = ({ status, body }: ApiResponse): [number, string] => [
  status,
  (body['error'] as { code: string }).code,
];
