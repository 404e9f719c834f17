import { randomUUID } from 'node:crypto';
import mongoose, { mongo } from 'mongoose';
import { DEFAULT_DEFINITION, pickSettings } from '../../domain/identity/sessions/session-template';
import { sha256Hex } from '../../lib/crypto/secrets';
import { newId } from '../../lib/ids';
import { toContentList } from '../../services/platform/audit/authentication';
import type { AuditContent } from '../../services/platform/audit/authentication';
import { GENESIS_HASH } from '../../services/platform/audit/sealing';
import { createBlindIndex } from '../../services/platform/evidence/blind-index';
import { buildDataKeyAad, ensureDataKey } from '../../services/platform/evidence/data-keys';
import type { Platform, Scope } from '../../services/platform/platform';

/**
 * Records in the forms in which versions without migrations stored them. The collections, fields and hashes are those of
 * their schemas, which git has.
 */

type Row = mongo.Document & { _id: string };

const getRows = (name: string): mongo.Collection<Row> => mongoose.connection.collection<Row>(name);

const AT = new Date('2026-05-04T10:00:00Z');

/** A session before its template was named `templateId`, and before personal fields were encrypted. */
export const buildEarlierSession = (scope: Scope, number: number, externalId: string): Row => {
  const _id = newId('ses');
  return {
    _id,
    ...scope,
    number,
    status: 'in_review',
    features: ['liveness'],
    workflowId: 'wfl_earlier',
    workflowVersion: 3,
    externalId,
    searchTokens: [_id.toLowerCase(), String(number), externalId],
    metadata: { note: 'a note on Anna' },
    callbackUrl: null,
    language: null,
    expected: { lastName: 'Eriksson' },
    contact: { email: 'anna@example.org' },
    country: 'SWE',
    settings: pickSettings(DEFAULT_DEFINITION),
    steps: [{ feature: 'liveness', attempts: [] }],
    decision: null,
    reviews: [],
    opening: 1,
    imported: null,
    version: 1,
    createdBy: 'key_earlier',
    createdAt: AT,
    expiresAt: AT,
    startedAt: AT,
    lastActivityAt: AT,
    reviewSince: AT,
    finishedAt: null,
    approvalExpiresAt: null,
    retainUntil: null,
    deletedAt: null,
  };
};

/** Inserts rows as they are, past the schema of today. */
export async function insertEarlierSessions(sessions: Row[]): Promise<void> {
  await getRows('sessions').insertMany(sessions);
}

/** A data key encrypted with the master key, as before wrapping keys. */
export async function storeEarlierDataKey(platform: Platform, scope: Scope, recordId: string): Promise<void> {
  const { key } = await ensureDataKey(platform, scope, recordId);
  const { keyId, data } = platform.masterKey.seal(key, buildDataKeyAad({ _id: recordId, ...scope }));
  await getRows('data_keys').updateOne(
    { _id: recordId },
    { $set: { keyId, wrapped: data }, $unset: { generation: '', material: '' } },
  );
}

/** A blocked and used document under the hash that was its fingerprint, with what its use said of the person. */
export async function insertEarlierDocument(platform: Platform, scope: Scope, recordId: string): Promise<void> {
  const index = await createBlindIndex(platform, scope, 'fingerprints');
  const fingerprint = index.computeEarlier('document:{"issuingState":"UTO"}');
  const use = { checkId: 'chk_earlier', recordId, externalId: 'anna', holder: sha256Hex('1994-08-12'), at: AT };
  await getRows('document_uses').insertOne({ _id: randomUUID(), ...scope, fingerprint, uses: [use] });
  const entry = { issuingState: 'UTO', hint: '…2C3', reason: 'Reported by Anna', createdBy: 'key', createdAt: AT };
  await getRows('blocked_documents').insertOne({ _id: newId('blk'), ...scope, fingerprint, ...entry });
}

/**
 * A session that was imported before hits of imported sessions had rows. Its hit has the id that it has in the sharing
 * organisation.
 */
export async function insertEarlierImport(scope: Scope, number: number): Promise<{ sessionId: string; hitId: string }> {
  const hitId = newId('hit');
  const checkId = newId('chk');
  const session = buildEarlierSession(scope, number, 'imported');
  const attempt = { checkId, at: AT, origin: 'follow_on', outcome: 'review', risks: [], superseded: false };
  const consent = { text: 'I agree.', at: AT };
  const origin = { issuer: 'https://vouch.example', shareId: newId('shr'), sessionId: newId('ses'), include: [] };
  await insertEarlierSessions([
    {
      ...session,
      features: ['aml'],
      steps: [{ feature: 'aml', attempts: [attempt] }],
      imported: { ...origin, trusted: false, consent, at: AT },
    },
  ]);
  const hit = {
    id: hitId,
    list: 'un',
    listVersion: 'alv_earlier',
    entryId: 'E1',
    entryHash: sha256Hex('E1'),
    entityType: 'person',
    caption: 'Anna Eriksson',
    matchedName: 'Anna Eriksson',
    score: 90,
    explanation: [],
    aliases: [],
    datesOfBirth: [],
    countries: [],
    genders: [],
    programs: [],
    identifiers: [],
    positions: [],
    addresses: [],
    remarks: null,
    sourceUrl: null,
    firstSeen: AT.toISOString(),
    lastChanged: AT.toISOString(),
    reviewStatus: 'unreviewed',
    review: null,
  };
  const thresholds = { review: 70, decline: null };
  await getRows('checks').insertOne({
    _id: checkId,
    ...scope,
    kind: 'aml_screening',
    feature: 'aml',
    sessionId: session._id,
    recordId: session._id,
    origin: 'follow_on',
    supplementary: false,
    inputs: [],
    details: null,
    sandbox: null,
    status: 'completed',
    verdict: 'review',
    risks: [{ code: 'aml_match', feature: 'aml', severity: 'high', action: 'review', details: { score: 90 } }],
    result: { match: true, score: 90, hits: [hit], thresholds, listsSearched: [] },
    foundFaces: [],
    failure: null,
    createdBy: 'key_earlier',
    createdAt: AT,
    completedAt: AT,
    deletedAt: null,
  });
  return { sessionId: session._id, hitId };
}

/** An event whose body names the person. */
export async function insertEarlierEvent(scope: Scope, subjectId: string): Promise<string> {
  const body = JSON.stringify({
    id: 'evt',
    type: 'session.approved',
    data: { sessionId: subjectId, externalId: 'anna' },
  });
  // MongoDB removes older ones.
  const now = new Date();
  const event = { ...scope, type: 'session.approved', subjectId, occurredAt: now, createdAt: now, body };
  await getRows('webhook_events').insertOne({ _id: newId('evt'), key: randomUUID(), ...event });
  return body;
}

const decimal = (text: string): mongo.Decimal128 => mongo.Decimal128.fromString(text);

const buildEarlierPayable = (organisationId: string, quantity: string, unitCost: string, net: string, tax: string) => ({
  organisationId,
  vendorId: 1,
  vendorName: 'Vendor',
  date: '2026-05-04',
  dueDate: '2026-05-04',
  currencyCode: 'USD',
  exchangeRate: decimal('0.9'),
  lines: [
    {
      lineId: 1,
      productId: 1,
      description: 'Chair',
      quantity: decimal(quantity),
      unitCost: decimal(unitCost),
      taxRateId: 1,
      net: decimal(net),
      tax: decimal(tax),
    },
  ],
  total: decimal(net),
  taxTotal: decimal(tax),
  grandTotal: decimal((Number(net) + Number(tax)).toFixed(2)),
  baseGrandTotal: decimal('0'),
  orderId: null,
  reference: null,
  createdBy: 'usr_earlier',
  createdAt: AT,
});

/** A bill of 12 chairs at 5.50 for a receipt of 10 at 5.00, with the whole difference as its `priceDifference`. */
export async function insertEarlierBill(organisationId: string): Promise<void> {
  await mongoose.connection
    .collection('payables')
    .createIndex(
      { organisationId: 1, vendorId: 1, type: 1, number: 1 },
      { unique: true, partialFilterExpression: { type: { $in: ['bill', 'credit_note'] } } },
    );
  await mongoose.connection.collection('payables').insertMany([
    {
      ...buildEarlierPayable(organisationId, '10', '5', '50', '9.5'),
      exchangeRate: decimal('0.8'),
      type: 'receipt',
      id: 1,
      number: 'GR-1',
      billId: 2,
      receiptIds: [],
      priceDifference: decimal('0'),
    },
    {
      ...buildEarlierPayable(organisationId, '12', '5.5', '66', '12.54'),
      type: 'bill',
      id: 2,
      number: 'B-1',
      billId: null,
      receiptIds: [1],
      priceDifference: decimal('23.09'),
    },
  ]);
}

/** The audit rows of an organisation, without codes and chained by SHA-256; the last one is not chained yet. */
export async function chainLikeEarlier(organisationId: string): Promise<void> {
  const log = mongoose.connection.collection<Row>('audit_log');
  const rows = (await log.find({ organisationId }).sort({ _id: 1 }).toArray()) as (Row & AuditContent)[];
  let hash = GENESIS_HASH;
  for (const [index, row] of rows.entries()) {
    const isLast = index === rows.length - 1;
    const position = index + 1;
    const previousHash = hash;
    if (!isLast) hash = sha256Hex(JSON.stringify([position, previousHash, ...toContentList(row)]));
    const chained = isLast ? { position: null, previousHash: null, hash: null } : { position, previousHash, hash };
    await log.updateOne({ _id: row._id }, { $set: chained, $unset: { mac: '' } });
  }
  await getRows('audit_heads').updateOne(
    { _id: organisationId },
    { $set: { position: rows.length - 1, hash } },
    { upsert: true },
  );
}

/** Users with one role for both APIs, and the index of their email addresses. */
export async function storeEarlierUsers(roles: Readonly<Record<string, string>>): Promise<void> {
  for (const [email, role] of Object.entries(roles))
    await getRows('users').updateOne({ email }, { $set: { role }, $unset: { identityRole: '' } });
  await getRows('users').createIndex({ email: 1 }, { unique: true });
}
