import { AppError, notFoundError } from '../../../domain/errors';
import type { ScreeningQuery } from '../../../domain/identity/aml/query';
import { MATCH_THRESHOLD } from '../../../domain/identity/aml/thresholds';
import { newId } from '../../../lib/ids';
import { AmlHit } from '../../../models/identity/aml/aml-hit';
import type { AmlHitRecord } from '../../../models/identity/aml/aml-hit';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import type { AmlScreeningRecord } from '../../../models/identity/aml/aml-screening';
import { workflowIds } from '../../../workflows/contracts';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { awaitRecord } from '../../platform/await-record';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { createRecordCipher } from '../../platform/evidence/record-cipher';
import type { RecordCipher } from '../../platform/evidence/record-cipher';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { requireKnownLists, requireUsableLists } from './lists';
import { createMonitor } from './new-monitor';
import { buildHitsContext } from './sealed-hits';
import type { FoundHit } from './sealed-hits';
import { computeSubjectKeys } from './subjects';

export interface NewScreening {
  query: ScreeningQuery;
  threshold?: number | undefined;
  lists?: string[] | undefined;
  monitoring?: boolean | undefined;
}

/** @throws AppError 404, also for a screening of another organisation or mode */
export async function getScreening(scope: Scope, id: string): Promise<AmlScreeningRecord> {
  const found = await AmlScreening.findOne({ _id: id, ...toScope(scope), deletedAt: null }).lean<AmlScreeningRecord>();
  if (found === null) throw notFoundError('screening');
  return found;
}

export interface ScreeningFilter {
  statuses?: readonly AmlScreeningRecord['status'][] | undefined;
  match?: boolean | undefined;
  monitorId?: string | undefined;
}

/** Screenings, newest first, without their subjects and hits, which are sealed. */
export const listScreenings = (
  scope: Scope,
  { statuses, match, monitorId }: ScreeningFilter,
  page: CursorPageRequest,
): Promise<CursorPage<AmlScreeningRecord>> =>
  readCursorPage(
    AmlScreening,
    {
      ...toScope(scope),
      deletedAt: null,
      ...(statuses === undefined ? {} : { status: { $in: [...statuses] } }),
      ...(match === undefined ? {} : { match }),
      ...(monitorId === undefined ? {} : { monitorId }),
    },
    page,
    { projection: { sealedQuery: 0, sealedHits: 0 } },
  );

/**
 * Waits up to `seconds` for a screening to complete.
 * @returns the screening as it is then; `processing` if it did not complete in time
 */
export const awaitScreening = (
  platform: Platform,
  scope: Scope,
  id: string,
  seconds: number,
): Promise<AmlScreeningRecord> =>
  awaitRecord(platform, {
    collection: 'aml_screenings',
    id,
    waitMs: seconds * 1000,
    read: () => getScreening(scope, id),
    isFinished: ({ status }) => status !== 'processing',
  });

/** Cipher context under which the query of a screening is sealed. */
const QUERY_CONTEXT = 'aml-query';

type ScreeningDraft = Pick<
  AmlScreeningRecord,
  '_id' | 'recordId' | 'origin' | 'subjectKey' | 'threshold' | 'lists' | 'sealedQuery' | 'createdBy'
> &
  Partial<Pick<AmlScreeningRecord, 'monitored' | 'monitorId' | 'causeVersion'>>;

/** Starts the workflow that runs a screening. */
export const startScreeningWorkflow = (unit: UnitOfWork, screening: AmlScreeningRecord): void =>
  unit.start(screening.organisationId, {
    workflow: 'amlScreening',
    workflowId: workflowIds.amlScreening(screening._id),
    argument: { screeningId: screening._id, organisationId: screening.organisationId },
    summary: `AML screening${screening.monitorId === null ? '' : ` by ${screening.monitorId}`}`,
    searchAttributes: { status: 'processing', features: ['aml'] },
  });

/** Inserts a screening and enqueues its workflow. */
export async function insertScreening(
  unit: UnitOfWork,
  scope: Scope,
  draft: ScreeningDraft,
): Promise<AmlScreeningRecord> {
  const screening: AmlScreeningRecord = {
    ...toScope(scope),
    monitored: false,
    monitorId: null,
    causeVersion: null,
    status: 'processing',
    sealedHits: null,
    match: null,
    score: null,
    hitCount: null,
    listsSearched: [],
    risks: [],
    failure: null,
    createdAt: unit.platform.clock.now(),
    completedAt: null,
    deletedAt: null,
    ...draft,
  };
  await AmlScreening.create([screening], { session: unit.mongoSession });
  startScreeningWorkflow(unit, screening);
  return screening;
}

async function recordScreening(
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewScreening,
  claim: (unit: UnitOfWork, recordId: string, status: number) => Promise<void>,
): Promise<AmlScreeningRecord> {
  const id = newId('aml');
  const cipher = await createRecordCipher(platform, scope, id);
  const { subjectKey } = await computeSubjectKeys(platform, scope, input.query);
  return runTransaction(platform, async (unit) => {
    const screening = await insertScreening(unit, scope, {
      _id: id,
      recordId: id,
      origin: 'client',
      subjectKey,
      threshold: input.threshold ?? MATCH_THRESHOLD,
      lists: input.lists ?? null,
      monitored: input.monitoring === true,
      sealedQuery: sealQueries(cipher, [input.query]),
      createdBy: actor,
    });
    if (input.monitoring === true) {
      const { threshold, lists, createdAt: screenedAt } = screening;
      await createMonitor(unit, scope, { recordId: id, threshold, lists, createdBy: actor, screenedAt });
    }
    await unit.audit(scope, {
      actor,
      action: 'aml_screening.created',
      subject: id,
      fields: Object.keys(input.query),
    });
    await claim(unit, id, 201);
    return screening;
  });
}

/**
 * Starts a screening: one transaction records the sealed query and enqueues the workflow.
 *
 * @throws AppError 400 for an unknown list; 503 `lists_unavailable` if none of the lists is loaded
 */
export const submitScreening = (
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewScreening,
  use: IdempotentUse | undefined,
): Promise<AmlScreeningRecord> =>
  runIdempotently(
    platform,
    use,
    async (claim) => {
      await requireKnownLists(scope, input.lists ?? null);
      await requireUsableLists(platform, scope, input.lists ?? null);
      return recordScreening(platform, scope, actor, input, claim);
    },
    (id) => getScreening(scope, id),
  );

/** Encrypts the queries of a screening, one for each name of its subject. */
export const sealQueries = (cipher: RecordCipher, queries: readonly ScreeningQuery[]): string =>
  cipher.seal(JSON.stringify(queries), QUERY_CONTEXT);

/** Decrypts the queries of a screening, one for each name of its subject. */
export async function readScreeningQueries(
  platform: Platform,
  screening: AmlScreeningRecord,
): Promise<ScreeningQuery[]> {
  const cipher = await createRecordCipher(platform, screening, screening.recordId);
  // Screenings of earlier versions have one query.
  const sealed = JSON.parse(cipher.open(screening.sealedQuery, QUERY_CONTEXT)) as ScreeningQuery | ScreeningQuery[];
  return Array.isArray(sealed) ? sealed : [sealed];
}

/** A hit with the details of its entry and its review. */
export interface HitDetail {
  record: AmlHitRecord;
  found: FoundHit;
}

/** The hits of a completed screening, best first. */
export async function readScreeningHits(platform: Platform, screening: AmlScreeningRecord): Promise<HitDetail[]> {
  if (screening.sealedHits === null) return [];
  const cipher = await createRecordCipher(platform, screening, screening.recordId);
  const found = JSON.parse(cipher.open(screening.sealedHits, buildHitsContext(screening._id))) as FoundHit[];
  const records = await AmlHit.find({ ...toScope(screening), screeningId: screening._id }).lean<AmlHitRecord[]>();
  const byId = new Map(records.map((record) => [record._id, record]));
  return found.flatMap((hit) => {
    const record = byId.get(hit.id);
    return record === undefined ? [] : [{ record, found: hit }];
  });
}

/** @throws AppError 503 if a screening has no result, with the time after which to retry */
export function requireCompletedScreening(screening: AmlScreeningRecord): AmlScreeningRecord {
  if (screening.status === 'completed') return screening;
  const unavailable = screening.failure === 'lists_unavailable';
  throw new AppError(
    unavailable ? 'lists_unavailable' : 'screening_unavailable',
    503,
    'The screening did not complete in time and has no result.',
    { retryAfterSeconds: unavailable ? 300 : 5, screeningId: screening._id },
  );
}
