import type { AuditRecord } from '../../../models/platform/audit/audit';
import type { MasterKey } from '../../../lib/crypto/master-key';

/** What an entry contains before it is sealed. */
export type AuditContent = Pick<
  AuditRecord,
  '_id' | 'organisationId' | 'mode' | 'at' | 'actor' | 'action' | 'subject' | 'fields' | 'reason' | 'requestId'
>;

const ENTRY_PURPOSE = 'audit-entry';
const CHAIN_PURPOSE = 'audit-chain';

/** The content of an audit entry in a fixed order, as its codes cover it. */
export const toContentList = (row: AuditContent): readonly unknown[] => [
  row._id,
  row.organisationId,
  row.mode,
  row.at.toISOString(),
  row.actor,
  row.action,
  row.subject,
  row.fields,
  row.reason ?? null,
  row.requestId ?? null,
];

/**
 * The authentication code of an entry, under a key derived from the master key. The service writes it with the entry,
 * so that an entry inserted or rewritten with access to the database alone is detected also before it is sealed.
 */
export const authenticateEntry = (masterKey: MasterKey, row: AuditContent): string =>
  masterKey.authenticate(JSON.stringify(toContentList(row)), ENTRY_PURPOSE);

/** Whether an audit entry has the content with which it was written. */
export const isEntryAuthentic = (masterKey: MasterKey, row: AuditRecord): boolean =>
  typeof row.mac === 'string' && masterKey.isAuthentic(row.mac, JSON.stringify(toContentList(row)), ENTRY_PURPOSE);

const buildChainMessage = (row: AuditRecord, position: number, previousHash: string): string =>
  JSON.stringify([position, previousHash, row.mac ?? null, ...toContentList(row)]);

/**
 * The keyed hash of a sealed entry. It covers the content and the previous hash, so that no entry can be changed,
 * removed, inserted or moved unnoticed, and no chain can be computed without the master key.
 */
export const computeChainHash = (
  masterKey: MasterKey,
  row: AuditRecord,
  position: number,
  previousHash: string,
): string => masterKey.authenticate(buildChainMessage(row, position, previousHash), CHAIN_PURPOSE);

/** Whether a sealed entry is authentic and follows the entry with this hash. */
export const isChained = (
  masterKey: MasterKey,
  row: AuditRecord,
  position: number,
  previousHash: string,
): row is AuditRecord & { hash: string } =>
  row.position === position &&
  row.previousHash === previousHash &&
  typeof row.hash === 'string' &&
  isEntryAuthentic(masterKey, row) &&
  masterKey.isAuthentic(row.hash, buildChainMessage(row, position, previousHash), CHAIN_PURPOSE);
