import { z } from 'zod';
import { OPPORTUNITY_STAGES } from '../../../domain/business/crm/opportunity-stages';
import type { OpportunityRecord } from '../../../models/business/crm/opportunity';
import { readActors } from '../../../services/platform/access/actors';
import { actorName, findActorName } from '../../platform/access/actor-names';
import {
  amount,
  parseCalendarField,
  currencyCode,
  day,
  dayInput,
  instant,
  line,
  NULLABLE_DECIMAL,
  paragraph,
  recordId,
} from '../fields';

export const stageField = z.enum(OPPORTUNITY_STAGES, { error: `must be one of ${OPPORTUNITY_STAGES.join(', ')}` });

export const opportunitySchema = z.object({
  id: z.number().int(),
  name: z.string(),
  customerId: z.number().int().nullable(),
  leadId: z.number().int().nullable(),
  stage: stageField,
  amount: z.number().nullable(),
  currencyCode: z.string(),
  expectedCloseDate: day.nullable(),
  ownerId: z.number().int().nullable(),
  notes: z.string().nullable(),
  lostReason: z.string().nullable(),
  closedAt: instant.nullable(),
  createdAt: instant,
  updatedAt: instant,
});

export const opportunityDetailSchema = opportunitySchema.extend({
  history: z.array(
    z.object({
      from: stageField.nullable(),
      to: stageField,
      at: instant,
      by: z.string().meta({ description: 'Id of the user or API key, as in the audit log.' }),
      byName: actorName,
      reason: z.string().nullable(),
    }),
  ),
});

export const exampleOpportunity = {
  id: 1,
  name: 'Fit out the Hamburg office',
  customerId: 1,
  leadId: 1,
  stage: 'proposal' as const,
  amount: 12_500,
  currencyCode: 'EUR',
  expectedCloseDate: '2027-01-31',
  ownerId: 2,
  notes: null,
  lostReason: null,
  closedAt: null,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-22T10:00:00.000+01:00',
};

export const exampleOpportunityDetail = {
  ...exampleOpportunity,
  history: [
    {
      from: null,
      to: 'prospecting' as const,
      at: '2026-11-21T10:00:00.000+01:00',
      by: 'usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
      byName: 'Alex Kim',
      reason: null,
    },
    {
      from: 'prospecting' as const,
      to: 'proposal' as const,
      at: '2026-11-22T10:00:00.000+01:00',
      by: 'usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
      byName: 'Alex Kim',
      reason: null,
    },
  ],
};

/**
 * An opportunity in lists, without its history. The amount is in its currency, and `closedAt` is null while it is open.
 */
export const presentOpportunity = (record: OpportunityRecord) => ({
  id: record.id,
  name: record.name,
  customerId: record.customerId,
  leadId: record.leadId,
  stage: record.stage,
  amount: record.amount,
  currencyCode: record.currencyCode,
  expectedCloseDate: record.expectedCloseDate,
  ownerId: record.ownerId,
  notes: record.notes,
  lostReason: record.lostReason,
  closedAt: record.closedAt,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

/** An opportunity with its changes of stage and the names of who made them. */
export async function presentOpportunityDetail(record: OpportunityRecord) {
  const { names } = await readActors(
    record.organisationId,
    record.history.map(({ by }) => by),
  );
  return {
    ...presentOpportunity(record),
    history: record.history.map(({ from, to, at, by, reason }) => ({
      from,
      to,
      at,
      by,
      byName: findActorName(names, by),
      reason,
    })),
  };
}

/** The fields of an opportunity other than its name and customer. */
export const opportunityFields = {
  amount: amount
    .nullable()
    .optional()
    .meta({ ...NULLABLE_DECIMAL, description: 'Value of the opportunity.' }),
  currencyCode: currencyCode
    .optional()
    .meta({ description: 'ISO 4217 code. Default: the base currency of the company.' }),
  expectedCloseDate: dayInput.nullable().optional(),
  ownerId: recordId.nullable().optional().meta({ description: 'Id of the responsible user.' }),
  notes: paragraph(2000).nullable().optional(),
};

export const opportunityName = line(200);

/** Converts the expected close date to its stored form. @throws AppError 400 naming the field */
export const parseExpectedCloseDate = <T extends { expectedCloseDate?: string | null | undefined }>(
  sent: T,
  timeZone: string,
  prefix = '',
): T => ({
  ...sent,
  expectedCloseDate: parseCalendarField(`${prefix}expectedCloseDate`, sent.expectedCloseDate, timeZone),
});
