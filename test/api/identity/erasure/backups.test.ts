import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mongo } from 'mongoose';
import { createApp } from '../../../../api/app';
import { DAY_MS } from '../../../../domain/durations';
import { decrypt } from '../../../../lib/crypto/envelope';
import { newId } from '../../../../lib/ids';
import { BlockedDocument } from '../../../../models/identity/documents/blocked-document';
import { DocumentUses } from '../../../../models/identity/documents/document-use';
import { setFieldCipher } from '../../../../models/sealed-fields';
import { DataKey } from '../../../../models/platform/evidence/data-key';
import type { DataKeyRecord } from '../../../../models/platform/evidence/data-key';
import { makeDemoImages } from '../../../../scripts/demo/images';
import type { DemoImages } from '../../../../scripts/demo/images';
import { BLIND_FIELDS } from '../../../../services/identity/erasure/blind-fields';
import { createFingerprinter } from '../../../../services/identity/documents/document-fingerprints';
import { createSessionIndex } from '../../../../services/identity/sessions/session-index';
import { ensureDataKey, findKeyMaterial } from '../../../../services/platform/evidence/data-keys';
import { createFieldCipher } from '../../../../services/platform/evidence/field-cipher';
import { rotateWrappingKeys } from '../../../../services/platform/evidence/key-rotation';
import type { KeyRotation } from '../../../../services/platform/evidence/key-rotation';
import { listGenerations, readWrappingKey } from '../../../../services/platform/evidence/wrapping-keys';
import type { Platform } from '../../../../services/platform/platform';
import { Singletons } from '../../../../services/platform/singletons';
import { call } from '../../../support/client';
import { restoreBackup, takeBackup, toSearchableText } from '../../../support/identity/backup';
import type { Backup } from '../../../support/identity/backup';
import {
  createSession,
  listSessions,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let images: DemoImages;
const servers: Server[] = [];

beforeAll(async () => {
  images = await makeDemoImages();
});
afterAll(async () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  await closeTestPlatform();
});

/** A text as BSON writes it, with its length and end, which no part of an id or hash is. */
const toBsonText = (text: string): string => {
  const length = Buffer.alloc(4);
  length.writeInt32LE(text.length + 1);
  return `${length.toString('latin1')}${text}\0`;
};

/** What the document and the session say of the person. */
const TRACES = [
  'ERIKSSON',
  'ANNA MARIA',
  'L898902C3',
  '1994-08-12',
  toBsonText('940812'),
  '"940812"',
  'case-of-anna',
  'anna@example.org',
];

const PERSON = {
  externalId: 'case-of-anna',
  expected: { firstName: 'Anna Maria', lastName: 'Eriksson', dateOfBirth: '1994-08-12', documentNumber: 'L898902C3' },
  contact: { email: 'anna@example.org' },
  metadata: { note: 'Anna Maria Eriksson' },
};

interface Verified {
  sessionId: string;
  evidenceId: string;
}

/** A session of a person who was verified with a document and a selfie, and reviewed. */
async function verifyPerson(key: string): Promise<Verified> {
  const options = { headers: { 'Idempotency-Key': `verify-${Math.random()}` } };
  const { id: sessionId } = await createSession(key, PERSON, options);
  await postDocument(key, { sessionId, frontImage: images.passport });
  await postLiveness(key, { sessionId, image: images.selfie });
  const { evidence } = await waitForStatus(key, sessionId, 'approved', 'in_review', 'declined');
  const review = { decision: 'decline', override: true, reason: 'Anna Maria Eriksson was seen elsewhere.' };
  expect((await call('POST', `/v1/sessions/${sessionId}/decision`, { key, json: review })).status).toBe(200);
  return { sessionId, evidenceId: evidence[0]?.id ?? '' };
}

/** A process that starts later: without anything in memory, and with its clock moved on. */
async function startLater(days: number): Promise<{ platform: Platform; api: string }> {
  const shared = await getTestPlatform();
  const config = { ...shared.config, TRUSTED_PROXIES: ['loopback'] };
  const clock = { now: () => new Date(Date.now() + days * DAY_MS) };
  const platform: Platform = { ...shared, config, clock, singletons: new Singletons() };
  setFieldCipher(createFieldCipher(platform));
  const server = await new Promise<Server>((resolve) => {
    const listening = createApp(platform).listen(0, '127.0.0.1', () => resolve(listening));
  });
  servers.push(server);
  return { platform, api: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

const rotate = async (days: number, { organisationId }: IdentityTenant): Promise<KeyRotation> =>
  rotateWrappingKeys((await startLater(days)).platform, BLIND_FIELDS, [organisationId]);

const readSession = (api: string, key: string, id: string) => call('GET', `/v1/sessions/${id}`, { key, api });

/** The status with which a link to evidence is answered, or the file behind it if there is a link. */
async function openFile(api: string, key: string, { sessionId, evidenceId }: Verified): Promise<number> {
  const link = await call('GET', `/v1/sessions/${sessionId}/evidence/${evidenceId}`, { key, api });
  if (link.status !== 200) return link.status;
  return (await call('GET', new URL(String(link.body['url'])).pathname, { api })).status;
}

/** Every key that the master key, the key store and the database of today give access to. */
async function collectKeys(platform: Platform, { organisationId }: IdentityTenant): Promise<Buffer[]> {
  const keys: (Buffer | null)[] = platform.config.masterKeys
    .split(',')
    .map((part) => Buffer.from(part.split(':')[1] ?? '', 'base64'));
  for (const generation of await listGenerations(platform, organisationId)) {
    keys.push(await readWrappingKey(platform, organisationId, generation));
  }
  for (const record of await DataKey.find({ organisationId }).lean<DataKeyRecord[]>()) {
    keys.push(await findKeyMaterial(platform, record));
  }
  return keys.filter((key) => key !== null);
}

const canDecrypt = (keys: readonly Buffer[], sealed: Buffer, aad: string): boolean =>
  keys.some((key) => {
    try {
      decrypt(key, sealed, aad);
      return true;
    } catch {
      return false;
    }
  });

/** Names of the encrypted parts of a session in a backup that one of the keys decrypts. */
function findReadableParts(backup: Backup, keys: readonly Buffer[], organisationId: string, sessionId: string) {
  const readable: string[] = [];
  let tried = 0;
  const attempt = (name: string, sealed: Buffer, aad: string): void => {
    tried += 1;
    if (canDecrypt(keys, sealed, aad)) readable.push(name);
  };
  for (const row of backup.rows.get('data_keys') ?? []) {
    if (row['_id'] !== sessionId) continue;
    attempt('data key', Buffer.from(String(row['material']), 'base64'), `data-key:${organisationId}:${sessionId}`);
  }
  for (const collection of ['sessions', 'checks', 'faces', 'shares']) {
    for (const row of backup.rows.get(collection) ?? []) {
      if (![row['_id'], row['recordId'], row['sessionId']].includes(sessionId)) continue;
      for (const [field, value] of Object.entries(row)) {
        if (!(value instanceof mongo.Binary)) continue;
        const name = field === 'embedding' ? field : `${collection}.${String(row['_id'])}.${field}`;
        attempt(name, Buffer.from(value.buffer), `value:${organisationId}:${sessionId}:${name}`);
      }
    }
  }
  for (const row of backup.rows.get('webhook_events') ?? []) {
    const [mark, sealed] = String(row['body']).split(':');
    if (row['subjectId'] !== sessionId || mark !== 'sealed') continue;
    const aad = `value:${organisationId}:${sessionId}:webhook_events.${sessionId}.body`;
    attempt(`event ${String(row['type'])}`, Buffer.from(sealed ?? '', 'base64'), aad);
  }
  for (const row of backup.rows.get('evidence') ?? []) {
    const body = row['recordId'] === sessionId ? backup.objects.get(String(row['objectKey'])) : undefined;
    const aad = `evidence:${organisationId}:${sessionId}:${String(row['_id'])}:${String(row['keyVersion'])}`;
    if (body !== undefined) attempt(String(row['objectKey']), body, aad);
  }
  return { tried, readable };
}

test('database and object store hold no name, number, date of birth or contact in clear text', async () => {
  const tenant = await createIdentityTenant('Scan');
  const { sessionId } = await verifyPerson(tenant.identityKey);
  const text = toSearchableText(await takeBackup(await getTestPlatform(), tenant.organisationId));
  expect(text).toContain(sessionId.toUpperCase());
  expect(TRACES.filter((trace) => text.includes(trace.toUpperCase()))).toEqual([]);
});

describe('a backup from before an erasure, restored with the same master key', () => {
  let tenant: IdentityTenant;
  let backup: Backup;
  let erased: Verified;
  let living: Verified;

  beforeAll(async () => {
    tenant = await createIdentityTenant('Restore');
    erased = await verifyPerson(tenant.identityKey);
    living = await verifyPerson(tenant.identityKey);
    const platform = await getTestPlatform();
    backup = await takeBackup(platform, tenant.organisationId);
    // The way to try keys finds everything while the keys exist.
    const before = findReadableParts(
      backup,
      await collectKeys(platform, tenant),
      tenant.organisationId,
      erased.sessionId,
    );
    expect(before.tried).toBeGreaterThan(10);
    expect(before.readable).toHaveLength(before.tried);
    const deletion = await call('DELETE', `/v1/sessions/${erased.sessionId}`, { key: tenant.identityKey });
    expect(deletion.status).toBe(200);
  });

  test('serves everyone who was not erased, before the retention of the key store has ended', async () => {
    expect(await rotate(31, tenant)).toMatchObject({ created: 1, removed: 0 });
    expect((await rotate(32, tenant)).reindexed).toBeGreaterThan(0);
    const platform = await getTestPlatform();
    const present = await takeBackup(platform, tenant.organisationId);
    await restoreBackup(platform, tenant.organisationId, backup);
    const { api } = await startLater(32);
    const response = await readSession(api, tenant.identityKey, living.sessionId);
    expect(response.body).toMatchObject({ session: { id: living.sessionId, externalId: PERSON.externalId } });
    expect(await openFile(api, tenant.identityKey, living)).toBe(200);
    await restoreBackup(platform, tenant.organisationId, present);
  });

  test('yields nothing about the erased person afterwards', async () => {
    expect((await rotate(62, tenant)).removed).toBe(1);
    const { platform, api } = await startLater(63);
    const keys = await collectKeys(platform, tenant);
    const scope = { ...tenant, mode: 'live' } as const;
    const guess = (await createSessionIndex(platform, scope)).listReferenceKeys(PERSON.externalId);
    const document = { documentNumber: 'L898902C3', issuingState: 'UTO' };
    const fingerprints = (await createFingerprinter(platform, scope)).list(document);
    await restoreBackup(platform, tenant.organisationId, backup);
    expect((await readSession(api, tenant.identityKey, erased.sessionId)).status).toBe(404);
    expect(await openFile(api, tenant.identityKey, erased)).toBe(404);
    const found = findReadableParts(backup, keys, tenant.organisationId, erased.sessionId);
    expect(found.tried).toBeGreaterThan(10);
    expect(found.readable).toEqual([]);
    // Nor can a guess be tested against a blind index.
    const stored = (backup.rows.get('sessions') ?? []).map((row) => String(row['externalIdKey']));
    expect(stored.filter((value) => guess.includes(value))).toEqual([]);
    const uses = (backup.rows.get('document_uses') ?? []).map((row) => String(row['fingerprint']));
    expect(uses.length).toBeGreaterThan(0);
    expect(uses.filter((value) => fingerprints.includes(value))).toEqual([]);
  });
});

test('new wrapping keys change nothing for those who use the service', async () => {
  const tenant = await createIdentityTenant('Rotation');
  const { sessionId, evidenceId } = await verifyPerson(tenant.identityKey);
  const first = await rotate(31, tenant);
  expect(first).toMatchObject({ created: 1, removed: 0 });
  expect(first.rewrapped).toBeGreaterThan(2);
  expect((await rotate(32, tenant)).reindexed).toBeGreaterThan(0);
  expect(await rotate(32, tenant)).toEqual({ created: 0, rewrapped: 0, reindexed: 0, removed: 0 });
  expect(await rotate(62, tenant)).toMatchObject({ created: 1, removed: 1 });
  const { api } = await startLater(62);
  const { identityKey: key } = tenant;
  expect((await readSession(api, key, sessionId)).body).toMatchObject({ session: { externalId: PERSON.externalId } });
  expect(await openFile(api, key, { sessionId, evidenceId })).toBe(200);
  for (const query of [`?externalId=${PERSON.externalId}`, '?search=anna', '?search=case']) {
    expect((await call('GET', `/v1/sessions${query}`, { key, api })).body).toMatchObject({ total: 1 });
  }
  expect((await listSessions(key)).total).toBe(1);
});

/** A data key of a record that exists in no other collection. */
async function createKey(organisationId: string): Promise<string> {
  const recordId = newId('ses');
  await ensureDataKey(await getTestPlatform(), { organisationId, mode: 'live' }, recordId);
  return recordId;
}

test('an altered data key of one organisation does not keep the keys of others', async () => {
  const [altered, intact] = [await createIdentityTenant('Altered'), await createIdentityTenant('Intact')];
  const alteredKey = await createKey(altered.organisationId);
  await DataKey.updateOne({ _id: alteredKey }, { $set: { material: Buffer.alloc(60).toString('base64') } });
  const intactKey = await createKey(intact.organisationId);
  const before = await DataKey.findById(intactKey).lean<DataKeyRecord>();
  const { platform } = await startLater(31);
  const organisations = [altered.organisationId, intact.organisationId];
  await expect(rotateWrappingKeys(platform, BLIND_FIELDS, organisations)).rejects.toThrow(AggregateError);
  const after = await DataKey.findById(intactKey).lean<DataKeyRecord>();
  expect(after?.generation).not.toBe(before?.generation);
  await DataKey.deleteOne({ _id: alteredKey });
});

test('rows of one document that were written under two generations become one', async () => {
  const tenant = await createIdentityTenant('Duplicates');
  const { organisationId } = tenant;
  const scope = { organisationId, mode: 'live' } as const;
  const document = { documentNumber: 'L898902C3', issuingState: 'UTO' };
  const compute = async (platform: Platform) => (await createFingerprinter(platform, scope)).compute(document);
  const earlier = await compute(await getTestPlatform());
  await rotate(31, tenant);
  const later = await compute((await startLater(32)).platform);
  expect(later).not.toBe(earlier);
  const buildUse = (checkId: string, day: number) => ({
    checkId,
    recordId: checkId,
    sealed: new mongo.Binary(Buffer.from('sealed')),
    at: new Date(Date.UTC(2026, 0, day)),
  });
  await DocumentUses.create([
    { ...scope, fingerprint: earlier, uses: [buildUse('chk_1', 1)] },
    { ...scope, fingerprint: later, uses: [buildUse('chk_2', 2)] },
  ]);
  const entry = { ...scope, hint: '…', issuingState: 'UTO', reason: null, createdBy: 'test', createdAt: new Date() };
  await BlockedDocument.create([
    { ...entry, _id: newId('blk'), fingerprint: earlier },
    { ...entry, _id: newId('blk'), fingerprint: later },
  ]);
  expect(await rotate(32, tenant)).toMatchObject({ reindexed: 2 });
  const uses = await DocumentUses.find(scope).lean();
  expect(uses.map(({ fingerprint, uses: list }) => [fingerprint, list.map(({ checkId }) => checkId)])).toEqual([
    [later, ['chk_1', 'chk_2']],
  ]);
  expect((await BlockedDocument.find(scope).lean()).map(({ fingerprint }) => fingerprint)).toEqual([later]);
});

test('a key that a version without wrapping keys destroyed, which left its material, cannot be read', async () => {
  const { organisationId } = await createIdentityTenant('Mixed versions');
  const recordId = await createKey(organisationId);
  await DataKey.updateOne({ _id: recordId }, { $set: { wrapped: null, destroyedAt: new Date() } });
  const platform = await getTestPlatform();
  const record = await DataKey.findById(recordId).lean<DataKeyRecord>();
  expect(record?.material).toEqual(expect.any(String));
  expect(record === null ? null : await findKeyMaterial(platform, record)).toBeNull();
});
