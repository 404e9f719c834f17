import { Types } from 'mongoose';
import type { Decimal } from '../../../domain/business/decimal';
import { isClosedStage, checkStageChange } from '../../../domain/business/crm/opportunity-stages';
import type { OpportunityStage } from '../../../domain/business/crm/opportunity-stages';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { AppError, conflictError, invalidFieldError } from '../../../domain/errors';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Opportunity } from '../../../models/business/crm/opportunity';
import type { OpportunityRecord } from '../../../models/business/crm/opportunity';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { buildChoiceCondition, buildCreatedFilter, readPage } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { getRecord, omitUndefined, prepareAndCreateRecord, updateRecord } from '../records/records';
import type { RecordKind, RecordReference } from '../records/records';
import { requireReferences } from './references';

export const OPPORTUNITY_KIND: RecordKind<OpportunityRecord> = {
  model: Opportunity,
  name: 'opportunity',
  counter: 'opportunities',
  unique: null,
  where: (key) => key,
};

export const OPPORTUNITY_SORT_FIELDS = ['id', 'name', 'amount', 'expectedCloseDate', 'createdAt'] as const;

/** The fields that a client can set; undefined leaves a field as it is, or at its default. */
export interface OpportunityInput {
  name?: string | undefined;
  customerId?: number | null | undefined;
  amount?: Decimal | null | undefined;
  /** @default the base currency of the company */
  currencyCode?: string | undefined;
  /** `YYYY-MM-DD` */
  expectedCloseDate?: string | null | undefined;
  ownerId?: number | null | undefined;
  notes?: string | null | undefined;
}

function apply(record: OpportunityRecord, input: OpportunityInput, now: Date): OpportunityRecord {
  const { amount, ...fields } = input;
  const changed: OpportunityRecord = {
    ...record,
    ...omitUndefined(fields),
    ...(amount === undefined ? {} : { amount: amount === null ? null : toDecimal128(amount) }),
    updatedAt: now,
  };
  return { ...changed, tokens: buildSearchTokens([changed.name]) };
}

/** A new opportunity, at the first stage. */
export function buildOpportunity(
  caller: BusinessCaller,
  id: number,
  input: OpportunityInput & { name: string; leadId: number | null },
  now: Date,
): OpportunityRecord {
  const { leadId, ...fields } = input;
  const blank: OpportunityRecord = {
    _id: new Types.ObjectId(),
    organisationId: caller.organisationId,
    id,
    name: input.name,
    customerId: null,
    leadId,
    stage: 'prospecting',
    amount: null,
    currencyCode: caller.company.baseCurrencyCode,
    expectedCloseDate: null,
    ownerId: null,
    notes: null,
    lostReason: null,
    closedAt: null,
    history: [{ from: null, to: 'prospecting', at: now, by: caller.id, reason: null }],
    tokens: [],
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
  return apply(blank, fields, now);
}

/** @throws AppError 400 naming every wrong reference */
export const createOpportunity = (
  platform: Platform,
  caller: BusinessCaller,
  input: OpportunityInput & { name: string },
  use: IdempotentUse | undefined,
): Promise<OpportunityRecord> =>
  prepareAndCreateRecord(platform, caller, OPPORTUNITY_KIND, use, async () => {
    await requireReferences(caller, input);
    return (id, now) => buildOpportunity(caller, id, { ...input, leadId: null }, now);
  });

/** @throws AppError 404, also for the id of another organisation */
export const getOpportunity = (caller: BusinessCaller, id: number): Promise<OpportunityRecord> =>
  getRecord(caller, OPPORTUNITY_KIND, id);

/** The fields that state the outcome of an opportunity. */
const OUTCOME_FIELDS = ['amount', 'currencyCode', 'customerId', 'expectedCloseDate'] as const;

/** A won or lost opportunity keeps its outcome; values that it has already may be sent. @throws AppError 409 */
function requireOutcomeKept(before: OpportunityRecord, after: OpportunityRecord): void {
  if (!isClosedStage(before.stage)) return;
  const changed = OUTCOME_FIELDS.filter((field) => {
    if (field !== 'amount') return before[field] !== after[field];
    if (before.amount === null || after.amount === null) return before.amount !== after.amount;
    return !fromDecimal128(before.amount).equals(fromDecimal128(after.amount));
  });
  if (changed.length === 0) return;
  const problem = `cannot change: the opportunity is ${before.stage}`;
  throw conflictError(
    'opportunity_closed',
    `${changed.join(', ')}: the opportunity is ${before.stage}; an administrator can reopen it.`,
    { fields: changed.map((field) => ({ field, problem })) },
  );
}

/**
 * Changes the fields that are sent; the stage is changed by `changeStage`.
 * @throws AppError 400, 404, 409 `opportunity_closed`, 412
 */
export async function updateOpportunity(
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  input: OpportunityInput,
): Promise<OpportunityRecord> {
  const before = await getOpportunity(caller, at.id);
  // An existing reference to a record that has been deactivated since may stay.
  await requireReferences(caller, {
    ownerId: input.ownerId === before.ownerId ? null : input.ownerId,
    customerId: input.customerId === before.customerId ? null : input.customerId,
  });
  const entry = { fields: Object.keys(omitUndefined(input)) };
  return updateRecord(platform, caller, OPPORTUNITY_KIND, at, entry, (current, now) => {
    const changed = apply(current, input, now);
    requireOutcomeKept(current, changed);
    return changed;
  });
}

export interface StageInput {
  stage: OpportunityStage;
  reason?: string | undefined;
  lostReason?: string | undefined;
}

function requireAllowed(caller: BusinessCaller, from: OpportunityStage, input: StageInput): void {
  const rejection = checkStageChange(from, {
    to: input.stage,
    reason: input.reason ?? null,
    lostReason: input.lostReason ?? null,
    byAdministrator: caller.permissions.has('admin:update'),
  });
  if (rejection === null) return;
  if (rejection.kind === 'missing') throw invalidFieldError(rejection.field, rejection.problem);
  const fields = [{ field: 'stage', problem: rejection.problem }];
  if (rejection.kind === 'closed')
    throw new AppError('forbidden', 403, `stage: ${rejection.problem}.`, { fields, permission: 'admin:update' });
  throw conflictError('stage_transition_refused', `stage: ${rejection.problem}.`, { fields });
}

function moveToStage(
  caller: BusinessCaller,
  current: OpportunityRecord,
  { stage: to, reason, lostReason: sentLostReason }: StageInput,
  now: Date,
): OpportunityRecord {
  const lostReason = to === 'lost' ? (sentLostReason ?? null) : null;
  const entry = { from: current.stage, to, at: now, by: caller.id, reason: reason ?? lostReason };
  return {
    ...current,
    stage: to,
    lostReason,
    closedAt: isClosedStage(to) ? now : null,
    history: [...current.history, entry],
    updatedAt: now,
  };
}

/**
 * Moves an opportunity to another stage and records by whom, when and why. The current stage changes nothing.
 * @throws AppError 400 for a missing reason, 403 for a closed opportunity, 404, 409 `stage_transition_refused`, 412
 */
export const changeStage = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  input: StageInput,
  use: IdempotentUse | undefined,
): Promise<OpportunityRecord> =>
  updateRecord(
    platform,
    caller,
    OPPORTUNITY_KIND,
    at,
    { action: 'opportunity.stage_changed', fields: ['stage'] },
    (current, now) => {
      requireAllowed(caller, current.stage, input);
      return current.stage === input.stage ? null : moveToStage(caller, current, input, now);
    },
    use,
  );

export interface OpportunityFilter extends CreatedFilter {
  stage?: readonly OpportunityStage[] | undefined;
  customerId?: readonly number[] | undefined;
  ownerId?: readonly number[] | undefined;
}

/** One page of opportunities with the exact total. */
export function listOpportunities(
  caller: BusinessCaller,
  filter: OpportunityFilter,
  query: ListQuery,
): Promise<ListPage<OpportunityRecord>> {
  const { stage, customerId, ownerId } = filter;
  return readPage(
    Opportunity,
    {
      organisationId: caller.organisationId,
      ...(stage === undefined ? {} : { stage: buildChoiceCondition(stage) }),
      ...(customerId === undefined ? {} : { customerId: buildChoiceCondition(customerId) }),
      ...(ownerId === undefined ? {} : { ownerId: buildChoiceCondition(ownerId) }),
      ...buildCreatedFilter(filter),
    },
    query,
  );
}
