import { notFoundError } from '../../../domain/errors';
import type { CompanyQuery, KybProviderName, KybStatus } from '../../../domain/identity/kyb/company';
import { covers } from '../../../domain/identity/kyb/coverage';
import { newId } from '../../../lib/ids';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import { workflowIds } from '../../../workflows/contracts';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { buildTimeCondition } from '../../platform/lists/time-range';
import type { TimeRange } from '../../platform/lists/time-range';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { awaitRecord } from '../../platform/await-record';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { findActiveRegister } from '../registers/lookup';

/** @throws AppError 404, also for a check of another organisation or mode */
export async function getKybCheck(scope: Scope, id: string): Promise<KybCheckRecord> {
  const found = await KybCheck.findOne({ _id: id, ...toScope(scope), deletedAt: null }).lean<KybCheckRecord>();
  if (found === null) throw notFoundError('business check');
  return found;
}

/**
 * Waits up to `seconds` for a check to complete.
 * @returns the check as it is then; `processing` if it did not complete in time
 */
export const awaitKybCheck = (platform: Platform, scope: Scope, id: string, seconds: number): Promise<KybCheckRecord> =>
  awaitRecord(platform, {
    collection: 'kyb_checks',
    id,
    waitMs: seconds * 1000,
    read: () => getKybCheck(scope, id),
    isFinished: ({ status }) => status !== 'processing',
  });

/** The registers to query, in the order of their authority. A test key never reaches an external register. */
async function selectProviders(platform: Platform, scope: Scope, query: CompanyQuery): Promise<KybProviderName[]> {
  const { KYB_PROVIDERS: enabled, companiesHouseKey } = platform.config;
  const own = (await findActiveRegister(scope, 'companies')) === null ? [] : (['register'] as const);
  if (scope.mode === 'test') return [...own, 'sandbox'];
  const outside = enabled.filter((provider) => provider !== 'companies_house' || companiesHouseKey !== undefined);
  return [...own, ...outside].filter((provider) => covers(provider, query));
}

export interface NewKybCheck {
  query: CompanyQuery;
  /** Whether to screen the company and its people again when a list changes. */
  monitoring: boolean;
}

/** Starts the workflow of a business check. */
export const startKybWorkflow = (unit: UnitOfWork, { _id, organisationId, sources }: KybCheckRecord): void =>
  unit.start(organisationId, {
    workflow: 'kyb',
    workflowId: workflowIds.kyb(_id),
    argument: { kybId: _id, organisationId, providers: sources.map(({ provider }) => provider) },
    summary: 'business check',
    searchAttributes: { status: 'processing' },
  });

/** Creates a business check and enqueues its workflow. */
export function submitKybCheck(
  platform: Platform,
  scope: Scope,
  actor: string,
  { query, monitoring }: NewKybCheck,
  use: IdempotentUse | undefined,
): Promise<KybCheckRecord> {
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      const providers = await selectProviders(platform, scope, query);
      const record: KybCheckRecord = {
        _id: newId('kyb'),
        ...toScope(scope),
        status: 'processing',
        query,
        country: query.country,
        sources: providers.map((provider) => ({ provider, status: 'pending' })),
        provider: null,
        detail: null,
        matches: [],
        screening: null,
        monitored: monitoring,
        risks: [],
        failure: null,
        createdBy: actor,
        createdAt: platform.clock.now(),
        completedAt: null,
        deletedAt: null,
      };
      const { _id: id } = record;
      return runTransaction(platform, async (unit) => {
        await KybCheck.create([record], { session: unit.mongoSession });
        startKybWorkflow(unit, record);
        const providedFields = Object.entries(query).filter(([, value]) => value !== null);
        await unit.audit(scope, {
          actor,
          action: 'kyb.created',
          subject: id,
          fields: providedFields.map(([name]) => name),
        });
        await claim(unit, id, 201);
        return record;
      });
    },
    (id) => getKybCheck(scope, id),
  );
}

/** `from` and `to` limit the time of creation. */
export interface KybFilter extends TimeRange {
  statuses?: readonly KybStatus[] | undefined;
  /** Requested country, ISO 3166-1 alpha-2. */
  country?: string | undefined;
}

/** Business checks, newest first. */
export function listKybChecks(
  scope: Scope,
  filter: KybFilter,
  page: CursorPageRequest,
): Promise<CursorPage<KybCheckRecord>> {
  const createdAt = buildTimeCondition(filter);
  const query = {
    ...toScope(scope),
    deletedAt: null,
    ...(filter.statuses === undefined ? {} : { status: { $in: [...filter.statuses] } }),
    ...(filter.country === undefined ? {} : { country: filter.country }),
    ...(createdAt === undefined ? {} : { createdAt }),
  };
  return readCursorPage(KybCheck, query, page);
}
