import { ShareUse } from '../../../../models/identity/sharing/share-use';
import { importSession } from '../../../../services/identity/sharing/import';
import { call } from '../../../support/client';
import { listSessions, postDecision } from '../../../support/identity/identity';
import { createSharingFixture, getStatusAndCode } from '../../../support/identity/sharing';
import type { SharingFixture } from '../../../support/identity/sharing';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

let fixture: SharingFixture;

beforeAll(async () => {
  fixture = await createSharingFixture();
});
afterEach(() => jest.restoreAllMocks());
afterAll(closeTestPlatform);

/** Imports a share in the test process. */
async function importHere(shareToken: string): Promise<unknown> {
  const scope = { organisationId: fixture.lender.organisationId, mode: 'live' } as const;
  const actor = { id: 'key_test', permissions: new Set<string>() };
  return importSession(await getTestPlatform(), scope, actor, { shareToken }, { trustReview: false }, undefined);
}

/** Runs `change` after an import has read the session that is shared, before it writes the first record. */
function interruptImport(change: () => Promise<unknown>): void {
  const create = ShareUse.create.bind(ShareUse);
  jest.spyOn(ShareUse, 'create').mockImplementationOnce(async (...rows: unknown[]): Promise<never> => {
    await change();
    return Reflect.apply(create, ShareUse, rows) as never;
  });
}

const erase = (id: string) => call('DELETE', `/v1/sessions/${id}`, { key: fixture.bank.identityKey });
const countSessions = async (): Promise<number> => (await listSessions(fixture.lender.identityKey)).total;

describe('an import of a session that changes while it runs', () => {
  test('copies nothing of a session that is erased', async () => {
    const source = await fixture.createApprovedSession();
    const shareToken = await fixture.createShareToken({}, source);
    const before = await countSessions();
    interruptImport(() => erase(source));
    await expect(importHere(shareToken)).rejects.toMatchObject({ status: 410, code: 'share_gone' });
    expect(await countSessions()).toBe(before);
  });

  test('does not copy a decision that is reversed; tried again, it copies the new one', async () => {
    const source = await fixture.createApprovedSession();
    const shareToken = await fixture.createShareToken({}, source);
    interruptImport(() =>
      postDecision(fixture.bank.identityKey, source, { decision: 'decline', override: true, reason: 'Fraud' }),
    );
    await expect(importHere(shareToken)).rejects.toMatchObject({ status: 409, code: 'session_changed' });
    const again = await fixture.importShare(shareToken, { trustReview: true });
    expect([again.status, again.body]).toMatchObject([201, { session: { status: 'in_review', decision: null } }]);
  });

  test('is rejected as gone if the session is erased while its images are read', async () => {
    const source = await fixture.createApprovedSession();
    const shareToken = await fixture.createShareToken({ include: ['images'] }, source);
    const { objects } = await getTestPlatform();
    jest.spyOn(objects, 'get').mockImplementationOnce(async () => {
      await erase(source);
      return null;
    });
    await expect(importHere(shareToken)).rejects.toMatchObject({ status: 410, code: 'share_gone' });
    expect(getStatusAndCode(await fixture.importShare(shareToken))).toEqual([410, 'share_gone']);
  });
});
