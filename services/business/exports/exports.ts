import type { Readable } from 'node:stream';
import { EXPORT_RESOURCES, isPrintedResource, PRINTED_RESOURCES } from '../../../domain/business/exports/exports';
import type {
  ArchiveFile,
  ExportFilters,
  ExportFormat,
  ExportResource,
  ExportState,
} from '../../../domain/business/exports/exports';
import { pickCalendar } from '../../../domain/business/settings/business-days';
import { AppError, conflictError, forbiddenError, invalidFieldError, notFoundError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { Export } from '../../../models/business/exports/export';
import type { ExportRecord } from '../../../models/business/exports/export';
import { workflowIds } from '../../../workflows/contracts';
import { reserveNumber } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { signLink, verifyLink } from '../../platform/evidence/signed-links';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { computeToday } from '../settings/company';
import { buildChoiceCondition, buildCreatedFilter, readPage } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { findBatchEnds } from './archive';
import { buildExportCondition, requireFilters } from './conditions';
import { requireJournalFormat } from './journal-formats';
import { streamExportFile } from './progress';
import { findHighestKey } from './rows';
import { EXPORT_SOURCES } from './sources';

export interface ExportInput {
  resource: ExportResource;
  format: ExportFormat;
  filters: ExportFilters;
}

/** An export can only be read with the permission to read its list. */
const listReadableResources = (caller: Pick<BusinessCaller, 'permissions'>): ExportResource[] =>
  EXPORT_RESOURCES.filter((resource) => caller.permissions.has(EXPORT_SOURCES[resource].permission));

const buildExportSubject = ({ id }: ExportRecord): string => `export:${id}`;

function requireAllowed(caller: BusinessCaller, { resource, format, filters }: ExportInput, now: Date): void {
  const { permission } = EXPORT_SOURCES[resource];
  if (!caller.permissions.has(permission)) throw forbiddenError(permission);
  if (format === 'zip-pdf' && !isPrintedResource(resource))
    throw invalidFieldError('format', `zip-pdf is only available for ${PRINTED_RESOURCES.join(', ')}`);
  requireFilters(resource, filters);
  // Rejects an invalid date now instead of failing in a worker later.
  buildExportCondition(caller.organisationId, resource, filters, {
    ...pickCalendar(caller.company),
    today: computeToday(caller.company, now),
  });
}

function buildExport(
  caller: BusinessCaller,
  id: number,
  input: ExportInput,
  archive: ArchiveFile | null,
  now: Date,
): ExportRecord {
  const { company, organisationId } = caller;
  return {
    ...input,
    _id: newId('exp'),
    organisationId,
    id,
    state: 'queued',
    ...pickCalendar(company),
    today: computeToday(company, now),
    baseCurrencyCode: company.baseCurrencyCode,
    archive,
    highestKey: null,
    rowsTotal: null,
    rowsDone: 0,
    objectKey: null,
    uploadId: null,
    parts: 0,
    lastKey: null,
    writer: null,
    written: false,
    storedBytes: 0,
    sizeBytes: null,
    sha256: null,
    failure: null,
    createdBy: caller.id,
    createdAt: now,
    startedAt: null,
    updatedAt: now,
    completedAt: null,
    expiresAt: null,
    clearedAt: null,
  };
}

/** Starts the workflow that writes an export. */
export const startExportWorkflow = (unit: UnitOfWork, record: ExportRecord): void =>
  unit.start(record.organisationId, {
    workflow: 'dataExport',
    workflowId: workflowIds.dataExport(record._id),
    argument: {
      exportId: record._id,
      organisationId: record.organisationId,
      documents: record.format === 'zip-pdf',
    },
    summary: `Export ${record.id}: ${record.resource} as ${record.format}`,
    searchAttributes: { status: 'queued', features: ['export'] },
  });

/** One export, or one for each file of an archive that is too large for one file. */
async function buildExports(platform: Platform, caller: BusinessCaller, input: ExportInput): Promise<ExportRecord[]> {
  const now = platform.clock.now();
  const nextId = () => reserveNumber(caller.organisationId, 'exports');
  const firstId = await nextId();
  const record = buildExport(caller, firstId, input, null, now);
  if (input.format !== 'zip-pdf') return [record];
  const highestKey = await findHighestKey(record);
  const ends = await findBatchEnds({ ...record, highestKey }, platform.config.EXPORT_ARCHIVE_DOCUMENTS);
  // The last file ends with the newest record: drafts after the last document are counted as left out.
  const bounds = [...ends.slice(0, -1), typeof highestKey === 'number' ? highestKey : 0];
  const records: ExportRecord[] = [];
  for (const [index, until] of bounds.entries()) {
    const archive = {
      after: bounds[index - 1] ?? 0,
      until,
      number: index + 1,
      count: bounds.length,
      firstExportId: firstId,
    };
    records.push(buildExport(caller, index === 0 ? firstId : await nextId(), input, archive, now));
  }
  return records;
}

async function auditAndStart(unit: UnitOfWork, caller: BusinessCaller, record: ExportRecord): Promise<void> {
  const fields = ['resource', 'format', ...Object.keys(record.filters).map((name) => `filters.${name}`)];
  const subject = buildExportSubject(record);
  await unit.audit(caller, { actor: caller.id, action: 'export.created', subject, fields });
  startExportWorkflow(unit, record);
}

/** The exports of all files of an archive, in order; one for any other export. */
export async function listArchiveFiles(caller: BusinessCaller, record: ExportRecord): Promise<ExportRecord[]> {
  const { archive } = record;
  if (archive == null || archive.count === 1) return [record];
  const { firstExportId } = archive;
  const { organisationId } = caller;
  const own = { organisationId, id: { $gte: firstExportId }, 'archive.firstExportId': firstExportId };
  return Export.find(own).sort({ id: 1 }).limit(archive.count).lean<ExportRecord[]>();
}

/**
 * Requests an export, which a workflow writes. An archive with more documents than one file can hold gets an export for
 * each of its files; the first is returned.
 * @throws AppError 400 naming each wrong filter and what is accepted; 403 without the permission to read the list
 */
export async function createExport(
  platform: Platform,
  caller: BusinessCaller,
  input: ExportInput,
  use: IdempotentUse | undefined,
): Promise<ExportRecord> {
  requireAllowed(caller, input, platform.clock.now());
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      await requireJournalFormat(platform, caller, input);
      const records = await buildExports(platform, caller, input);
      const [first] = records;
      if (first === undefined) throw new Error('an export without a file');
      await runTransaction(platform, async (unit) => {
        await Export.create(records, { session: unit.mongoSession, ordered: true });
        for (const record of records) await auditAndStart(unit, caller, record);
        await claim(unit, String(first.id), 202);
      });
      return first;
    },
    (recordId) => getExport(caller, Number(recordId)),
  );
}

/** @throws AppError 404, also for an export of another organisation or of a list that the caller cannot read */
export async function getExport(caller: BusinessCaller, id: number): Promise<ExportRecord> {
  const { organisationId } = caller;
  const record = await Export.findOne({ organisationId, id }).lean<ExportRecord>();
  if (record === null || !listReadableResources(caller).includes(record.resource)) throw notFoundError('export');
  return record;
}

export const EXPORT_SORT_FIELDS = ['id', 'createdAt'] as const;

export interface ExportListFilter extends CreatedFilter {
  state?: readonly ExportState[] | undefined;
  resource?: readonly ExportResource[] | undefined;
}

/** One page of the exports that the caller can read, with the exact total. */
export const listExports = (
  caller: BusinessCaller,
  filter: ExportListFilter,
  query: ListQuery,
): Promise<ListPage<ExportRecord>> =>
  readPage(
    Export,
    {
      organisationId: caller.organisationId,
      resource: {
        $in: listReadableResources(caller).filter((name) => filter.resource?.includes(name) ?? true),
      },
      ...(filter.state === undefined ? {} : { state: buildChoiceCondition(filter.state) }),
      ...buildCreatedFilter(filter),
    },
    query,
  );

/** Marks an unfinished export as cancelled and ends its workflow; one that is cancelled already does not change. */
async function endExport(unit: UnitOfWork, caller: BusinessCaller, current: ExportRecord): Promise<ExportRecord> {
  const now = unit.platform.clock.now();
  const cancelled = await Export.findOneAndUpdate(
    { _id: current._id, state: { $in: ['queued', 'running'] } },
    { $set: { state: 'cancelled', completedAt: now, updatedAt: now } },
    { session: unit.mongoSession, returnDocument: 'after' },
  ).lean<ExportRecord>();
  if (cancelled === null) {
    const found = await Export.findById(current._id).session(unit.mongoSession).lean<ExportRecord>();
    if (found?.state === 'cancelled') return found;
    throw conflictError(
      'export_finished',
      `The export has ${found?.state ?? 'ended'}; only an export in progress can be cancelled.`,
    );
  }
  unit.cancel(caller.organisationId, workflowIds.dataExport(current._id));
  await unit.audit(caller, { actor: caller.id, action: 'export.cancelled', subject: buildExportSubject(current) });
  return cancelled;
}

/**
 * Cancels an unfinished export and removes the parts of its file. A cancelled export stays cancelled.
 * @throws AppError 404; 409 `export_finished`
 */
export async function cancelExport(
  platform: Platform,
  caller: BusinessCaller,
  id: number,
  use: IdempotentUse | undefined,
): Promise<ExportRecord> {
  const current = await getExport(caller, id);
  return runIdempotently(
    platform,
    use,
    (claim) =>
      runTransaction(platform, async (unit) => {
        const cancelled = await endExport(unit, caller, current);
        await claim(unit, String(id), 200);
        return cancelled;
      }),
    () => getExport(caller, id),
  );
}

const hasFile = (record: ExportRecord, now: Date): boolean =>
  record.state === 'completed' && record.clearedAt === null && record.expiresAt !== null && record.expiresAt > now;

/** A link to the file of an export; null if there is no file yet or any more. */
export function createExportLink(
  platform: Platform,
  caller: BusinessCaller,
  record: ExportRecord,
): { url: string; expiresAt: Date } | null {
  if (!hasFile(record, platform.clock.now())) return null;
  const { organisationId, mode, id: actor } = caller;
  const signed = signLink(platform, 'vouch-export', { organisationId, mode, actor, subject: record._id });
  const url = `${platform.config.PUBLIC_URL}/api/exports/${record.id}/file?token=${signed.token}`;
  return { url, expiresAt: signed.expiresAt };
}

/** A file in the object store. */
export interface ExportFile {
  record: ExportRecord;
  body: Readable;
}

/**
 * Opens the file of a link. The download is audited with the user or API key that requested the link as its actor.
 * @throws AppError 404 for an invalid token or one of another export; 410 `link_expired`, or `export_expired` after
 * the file has been removed
 */
export async function openExportFile(platform: Platform, id: number, token: string): Promise<ExportFile> {
  const { subject, organisationId, mode, actor } = verifyLink(platform, 'vouch-export', token);
  const record = await Export.findOne({ _id: subject, organisationId, id }).lean<ExportRecord>();
  if (record?.objectKey == null) throw notFoundError('file');
  const body = hasFile(record, platform.clock.now())
    ? await streamExportFile(platform, organisationId, record.objectKey)
    : null;
  if (body === null) {
    throw new AppError('export_expired', 410, 'The file of this export has been removed; create another export.');
  }
  const scope: Scope = { organisationId, mode };
  try {
    await runTransaction(platform, (unit) =>
      unit.audit(scope, { actor, action: 'export.downloaded', subject: buildExportSubject(record) }),
    );
  } catch (error) {
    // It is never read: the connection to the object store would stay open for minutes.
    body.destroy();
    throw error;
  }
  return { record, body };
}
