import { DataKey } from '../../../../models/platform/evidence/data-key';
import { Erasure } from '../../../../models/identity/erasure/erasure';
import { KybCheck } from '../../../../models/identity/kyb/kyb-check';
import { RegisterImport } from '../../../../models/identity/registers/register-import';
import { eraseOverdueRecords } from '../../../../services/identity/erasure/retention';
import { newId } from '../../../../lib/ids';
import { call } from '../../../support/client';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';
import { DAY_MS } from '../../../../domain/durations';

const longAgo = new Date(Date.now() - 31 * DAY_MS);

let tenant: IdentityTenant;
beforeAll(async () => {
  await getTestPlatform();
  tenant = await createIdentityTenant('Retention of business checks');
});
afterAll(closeTestPlatform);

async function importPeople(key: string, row: string): Promise<string> {
  const body = Buffer.from(`country,idNumber,firstName,lastName\n${row}\n`);
  const form = { file: { body, name: 'people.csv' } };
  const response = await call('POST', '/v1/registers/persons/import', { key, form });
  expect(response.status).toBe(201);
  return (response.body['register'] as { id: string }).id;
}

async function checkCompany(key: string): Promise<string> {
  const { body } = await call('POST', '/v1/kyb', { key, json: { companyName: 'Any Name Ltd' } });
  return (body['check'] as { id: string }).id;
}

test('a business check is erased with a receipt at the end of its retention, a recent one is not', async () => {
  const key = await tenant.createIdentityKey(['kyb:read', 'kyb:write'], { mode: 'test' });
  const [old, fresh] = [await checkCompany(key), await checkCompany(key)];
  await KybCheck.updateOne({ _id: old }, { $set: { createdAt: longAgo } });
  await eraseOverdueRecords(await getTestPlatform());
  expect((await call('GET', `/v1/kyb/${old}`, { key })).status).toBe(404);
  expect((await call('GET', `/v1/kyb/${fresh}`, { key })).status).toBe(200);
  expect(await Erasure.findOne({ recordId: old }).lean()).toMatchObject({ kind: 'kyb', reason: 'retention' });
});

test('an unused version of an own register is erased with its data key at the end of its retention', async () => {
  const { identityKey: key, organisationId } = tenant;
  const first = await importPeople(key, 'FI,131052-308T,Liisa,Virtanen');
  const rejected = await importPeople(key, ',,,');
  const second = await importPeople(key, 'FI,131052-308T,Liisa Maria,Virtanen');
  await RegisterImport.updateMany(
    { organisationId, retiredAt: { $type: 'date' } },
    { $set: { retiredAt: longAgo, completedAt: longAgo } },
  );
  // The one in use stays, however old it is.
  await RegisterImport.updateOne({ _id: second }, { $set: { completedAt: longAgo } });
  await eraseOverdueRecords(await getTestPlatform());
  for (const id of [first, rejected]) {
    expect((await call('GET', `/v1/registers/${id}`, { key })).status).toBe(404);
    expect(await Erasure.findOne({ recordId: id }).lean()).toMatchObject({ kind: 'register', reason: 'retention' });
    expect(await DataKey.findById(id).lean()).toMatchObject({ material: null });
  }
  expect((await call('GET', `/v1/registers/${second}`, { key })).status).toBe(200);
});

test('a record that cannot be erased does not hold up the erasure of the others, and is named', async () => {
  const platform = await getTestPlatform();
  const key = await tenant.createIdentityKey(['kyb:read', 'kyb:write'], { mode: 'test' });
  const [erased, broken, other] = [await checkCompany(key), await checkCompany(key), await checkCompany(key)];
  const makeOverdue = (id: string, createdAt: Date) => KybCheck.updateOne({ _id: id }, { $set: { createdAt } });
  await makeOverdue(erased, longAgo);
  await eraseOverdueRecords(platform);
  // A receipt that names another record: a second receipt of that record is refused.
  await Erasure.updateOne({ recordId: erased }, { $set: { recordId: broken } });
  // Overdue only for this run, whose retention is shorter: the record would make runs of other tests fail too.
  const days = platform.config.CHECK_RETENTION_DAYS - 0.1;
  const overdueAt = Date.now() - (days + 0.05) * DAY_MS;
  await makeOverdue(broken, new Date(overdueAt));
  await makeOverdue(other, new Date(overdueAt + 1));
  const strict = { ...platform, config: { ...platform.config, CHECK_RETENTION_DAYS: days } };
  await expect(eraseOverdueRecords(strict)).rejects.toThrow(broken);
  expect((await call('GET', `/v1/kyb/${other}`, { key })).status).toBe(404);
  expect((await call('GET', `/v1/kyb/${broken}`, { key })).status).toBe(200);
  await makeOverdue(broken, new Date());
});

describe('more overdue records than are read at a time', () => {
  const COUNT = 501;
  const days = 1;
  const overdueAt = Date.now() - 1.5 * DAY_MS;
  // Overdue only for these runs, whose retention is shorter, so that runs of other tests do not meet them.
  const readPlatform = async () => {
    const platform = await getTestPlatform();
    return { ...platform, config: { ...platform.config, CHECK_RETENTION_DAYS: days } };
  };
  let ids: string[];
  let last: string;

  /** Rejected versions of a register, oldest first, each with a receipt of another erasure: a second one is refused. */
  beforeAll(async () => {
    const { organisationId } = await createIdentityTenant('Many overdue records');
    const scope = { organisationId, mode: 'live' as const };
    const rows = Array.from({ length: COUNT + 1 }, (_, index) => ({
      ...scope,
      _id: newId('reg'),
      kind: 'persons' as const,
      status: 'failed' as const,
      sha256: '0'.repeat(64),
      bytes: 0,
      rows: { total: 0, imported: 0, rejected: 0 },
      createdBy: 'system',
      createdAt: new Date(overdueAt),
      retiredAt: new Date(overdueAt + index),
    }));
    await RegisterImport.insertMany(rows);
    ids = rows.slice(0, COUNT).map(({ _id }) => _id);
    last = rows.at(-1)?._id ?? '';
    const receipts = ids.map((recordId) => ({
      ...scope,
      _id: newId('era'),
      kind: 'register' as const,
      recordId,
      ids: [recordId],
      reason: 'retention' as const,
      actor: 'system',
      status: 'completed' as const,
      requestedAt: new Date(),
      completedAt: new Date(),
      dataKeys: 0,
    }));
    await Erasure.insertMany(receipts);
  });

  afterAll(async () => {
    await RegisterImport.deleteMany({ _id: { $in: ids } });
    await Erasure.deleteMany({ recordId: { $in: ids } });
  });

  test('a run whose time is over begins nothing more and says that more are left', async () => {
    let asked = 0;
    const isTimeOver = (): boolean => (asked += 1) > 3;
    const run = await eraseOverdueRecords(await readPlatform(), isTimeOver);
    expect(run.more).toBe(true);
    expect(await Erasure.findOne({ recordId: last }).lean()).toBeNull();
  });

  test('hundreds of records that cannot be erased do not block a later one, and are reported', async () => {
    await expect(eraseOverdueRecords(await readPlatform())).rejects.toThrow(/could not be erased: .* others\./);
    expect(await Erasure.findOne({ recordId: last }).lean()).toMatchObject({ kind: 'register', reason: 'retention' });
    expect(await RegisterImport.countDocuments({ _id: { $in: ids }, deletedAt: null })).toBe(COUNT);
  });
});
