import { conflictError, forbiddenError } from '../../../domain/errors';
import { reserveNumber } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import type { LeadRecord } from '../../../models/business/crm/lead';
import type { OpportunityRecord } from '../../../models/business/crm/opportunity';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { CUSTOMER_KIND } from '../parties/party-kinds';
import type { CustomerInput } from '../parties/party-kinds';
import { beginTaxIdVerification, prepareParty } from '../parties/party-records';
import { getRecord, insertRecord, rejectDuplicates, replaceRecord } from '../records/records';
import { getLead, LEAD_KIND, requireNotConverted } from './leads';
import { getOpportunity, buildOpportunity, OPPORTUNITY_KIND } from './opportunities';
import type { OpportunityInput } from './opportunities';
import { requireReferences } from './references';

export interface ConversionInput {
  /** Id of an existing customer. @default a new customer named after the company or name of the lead */
  customerId?: number | undefined;
  /** Fields of the new customer; the others are taken from the lead. */
  customer?: CustomerInput | undefined;
  /** Fields of the opportunity; its name defaults to that of the lead. */
  opportunity?: OpportunityInput | undefined;
}

export interface Conversion {
  lead: LeadRecord;
  customer: CustomerRecord;
  opportunity: OpportunityRecord;
}

function requireConvertible(lead: LeadRecord): void {
  requireNotConverted(lead);
  if (lead.status === 'lost')
    throw conflictError(
      'lead_lost',
      'The lead was lost; set its status to an open one with PUT /api/crm/leads/:id first.',
    );
}

/** Reads the records of an earlier conversion. */
async function readConversion(caller: BusinessCaller, leadId: number): Promise<Conversion> {
  const lead = await getLead(caller, leadId);
  const [customer, opportunity] = await Promise.all([
    getRecord(caller, CUSTOMER_KIND, lead.customerId ?? 0),
    getOpportunity(caller, lead.opportunityId ?? 0),
  ]);
  return { lead, customer, opportunity };
}

/** The customer of the converted lead: an existing one or a new one. */
async function resolveCustomer(
  unit: UnitOfWork,
  caller: BusinessCaller,
  lead: LeadRecord,
  input: ConversionInput,
  creation: { id: number; now: Date },
): Promise<CustomerRecord> {
  if (input.customerId !== undefined) return getRecord(caller, CUSTOMER_KIND, input.customerId, unit);
  const leadFields = { name: lead.companyName ?? lead.name, email: lead.email, phone: lead.phone };
  const sent = input.customer ?? {};
  const build = prepareParty(unit.platform, caller, CUSTOMER_KIND, {
    ...leadFields,
    ...sent,
    name: sent.name ?? leadFields.name,
  });
  const customer = build(creation.id, creation.now);
  await rejectDuplicates(CUSTOMER_KIND, () => insertRecord(unit, caller, CUSTOMER_KIND, customer));
  await beginTaxIdVerification(unit, caller, CUSTOMER_KIND, customer);
  return customer;
}

/**
 * Converts a lead into a customer and an opportunity, in one transaction.
 * @throws AppError 400, 403 without `customers:create` if a customer is created, 404, 409 `lead_converted`,
 * `lead_lost` or `code_taken`
 */
export async function convertLead(
  platform: Platform,
  caller: BusinessCaller,
  leadId: number,
  input: ConversionInput,
  use: IdempotentUse | undefined,
): Promise<Conversion> {
  const before = await getLead(caller, leadId);
  if (input.customerId === undefined && !caller.permissions.has('customers:create'))
    throw forbiddenError('customers:create');
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      await requireReferences(caller, { customerId: input.customerId, ownerId: input.opportunity?.ownerId });
      requireConvertible(before);
      const { organisationId } = caller;
      const customerId = input.customerId ?? (await reserveNumber(organisationId, CUSTOMER_KIND.counter));
      const opportunityId = await reserveNumber(organisationId, OPPORTUNITY_KIND.counter);
      return runTransaction(platform, async (unit) => {
        const lead = await getRecord(caller, LEAD_KIND, leadId, unit);
        requireConvertible(lead);
        const now = platform.clock.now();
        const customer = await resolveCustomer(unit, caller, lead, input, { id: customerId, now });
        const name = input.opportunity?.name ?? lead.companyName ?? lead.name;
        const ownerId = input.opportunity?.ownerId === undefined ? lead.ownerId : input.opportunity.ownerId;
        const deal = { ...input.opportunity, name, ownerId, customerId: customer.id, leadId };
        const opportunity = buildOpportunity(caller, opportunityId, deal, now);
        await insertRecord(unit, caller, OPPORTUNITY_KIND, opportunity);
        const converted = {
          ...lead,
          status: 'converted' as const,
          customerId: customer.id,
          opportunityId,
          updatedAt: now,
        };
        const fields = ['status', 'customerId', 'opportunityId'];
        const changed = await replaceRecord(unit, caller, LEAD_KIND, converted, { action: 'lead.converted', fields });
        await claim(unit, String(leadId), 200);
        return { lead: changed, customer, opportunity };
      });
    },
    () => readConversion(caller, leadId),
  );
}
