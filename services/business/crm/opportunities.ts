import { Types } from 'mongoose';
import type { Decimal } from '../../../domain/business/decimal';
import { isClosed, judgeStageChange } from '../../../domain/business/crm/opportunity-stages';
import type { OpportunityStage } from '../../../domain/business/crm/opportunity-stages';
import { searchTokens } from '../../../domain/business/search-tokens';
import { AppError, conflict, invalidField } from '../../../domain/errors';
import { toStored } from '../../../models/business/decimal128';
import { Opportunity } from '../../../models/business/crm/opportunity';
import type { OpportunityRecord } from '../../../models/business/crm/opportunity';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { createdBetween, readPage } from '../records/lists';
import type { CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, sentOf, updateRecord } from '../records/records';
import type { RecordKind } from '../records/records';
import { requireReferences } from './references';

export const OPPORTUNITIES: RecordKind<OpportunityRecord> = {
  model: Opportunity,
  name: 'opportunity',
  counter: 'opportunities',
  unique: null,
  where: (key) => key,
};

export const OPPORTUNITY_SORT_FIELDS = ['id', 'name', 'amount', 'expectedCloseDate', 'createdAt'] as const;

/** What a client sets of an opportunity; undefined leaves a field as it is (or at its default). */
export interface OpportunityInput {
  name?: string | undefined;
  customerId?: number | null | undefined;
  amount?: Decimal | null | undefined;
  /** @default the company's base currency */
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
    ...sentOf(fields),
    ...(amount === undefined ? {} : { amount: amount === null ? null : toStored(amount) }),
    updatedAt: now,
  };
  return { ...changed, tokens: searchTokens([changed.name]) };
}

/** A new opportunity, at its first stage. */
export function newOpportunity(
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

/** @throws AppError 400 naming every reference that is wrong. */
export async function createOpportunity(
  platform: Platform,
  caller: BusinessCaller,
  input: OpportunityInput & { name: string },
  use: IdempotentUse | undefined,
): Promise<OpportunityRecord> {
  await requireReferences(caller, input);
  return createRecord(platform, caller, OPPORTUNITIES, use, (id, now) =>
    newOpportunity(caller, id, { ...input, leadId: null }, now),
  );
}

/** @throws AppError 404, also for another organisation's number. */
export const getOpportunity = (caller: BusinessCaller, id: number): Promise<OpportunityRecord> =>
  getRecord(caller, OPPORTUNITIES, id);

/** Changes the fields that are sent; the stage has its own way. @throws AppError 400, 404, 412 */
export async function updateOpportunity(
  platform: Platform,
  caller: BusinessCaller,
  at: { id: number; ifMatch: number | undefined },
  input: OpportunityInput,
): Promise<OpportunityRecord> {
  const before = await getOpportunity(caller, at.id);
  // One that points at what has been deactivated since may keep pointing there.
  await requireReferences(caller, {
    ownerId: input.ownerId === before.ownerId ? null : input.ownerId,
    customerId: input.customerId === before.customerId ? null : input.customerId,
  });
  const entry = { fields: Object.keys(sentOf(input)) };
  return updateRecord(platform, caller, OPPORTUNITIES, at, entry, (current, now) => apply(current, input, now));
}

export interface StageInput {
  stage: OpportunityStage;
  reason?: string | undefined;
  lostReason?: string | undefined;
}

function requireAllowed(caller: BusinessCaller, from: OpportunityStage, input: StageInput): void {
  const refusal = judgeStageChange(from, {
    to: input.stage,
    reason: input.reason ?? null,
    lostReason: input.lostReason ?? null,
    byAdministrator: caller.permissions.has('admin:update'),
  });
  if (refusal === null) return;
  if (refusal.kind === 'missing') throw invalidField(refusal.field, refusal.problem);
  const fields = [{ field: 'stage', problem: refusal.problem }];
  if (refusal.kind === 'closed')
    throw new AppError('forbidden', 403, `stage: ${refusal.problem}.`, { fields, permission: 'admin:update' });
  throw conflict('stage_transition_refused', `stage: ${refusal.problem}.`, { fields });
}

/**
 * Moves an opportunity to another stage, and keeps who did it, when and why. To the stage it is in: nothing happens.
 * @throws AppError 400 for a missing reason, 403 for a closed one, 404, 409 `stage_transition_refused`, 412
 */
export const changeStage = (
  platform: Platform,
  caller: BusinessCaller,
  at: { id: number; ifMatch: number | undefined },
  input: StageInput,
): Promise<OpportunityRecord> =>
  updateRecord(
    platform,
    caller,
    OPPORTUNITIES,
    at,
    { action: 'opportunity.stage_changed', fields: ['stage'] },
    (current, now) => {
      const { stage: from } = current;
      const { stage: to } = input;
      requireAllowed(caller, from, input);
      if (from === to) return null;
      const lostReason = to === 'lost' ? (input.lostReason ?? null) : null;
      const entry = { from, to, at: now, by: caller.id, reason: input.reason ?? lostReason };
      return {
        ...current,
        stage: to,
        lostReason,
        closedAt: isClosed(to) ? now : null,
        history: [...current.history, entry],
        updatedAt: now,
      };
    },
  );

export interface OpportunityFilter extends CreatedFilter {
  stage?: OpportunityStage | undefined;
  customerId?: number | undefined;
  ownerId?: number | undefined;
}

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
      ...(stage === undefined ? {} : { stage }),
      ...(customerId === undefined ? {} : { customerId }),
      ...(ownerId === undefined ? {} : { ownerId }),
      ...createdBetween(filter),
    },
    query,
  );
}
