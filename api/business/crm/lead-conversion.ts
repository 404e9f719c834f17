import { z } from 'zod';
import { convertLead } from '../../../services/business/crm/lead-conversion';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { customerInputs, customerSchema, exampleCustomer, presentCustomer } from '../parties/party-fields';
import { idPath, line, recordId } from '../fields';
import { buildEtagHeader } from '../revisions';
import { exampleLead, leadSchema, presentLead } from './leads';
import {
  exampleOpportunityDetail,
  opportunityDetailSchema,
  presentOpportunityDetail,
  opportunityFields,
  opportunityName,
  parseExpectedCloseDate,
} from './opportunity-fields';

const convert = defineRoute({
  method: 'post',
  path: '/api/crm/leads/:id/convert',
  operationId: 'convertLead',
  summary: 'Convert a lead into a customer and an opportunity',
  description:
    'Changes the lead and creates the opportunity in one transaction. The customer is the one with `customerId`, or a new one named after the company or the name of the lead, which also requires the permission `customers:create`.',
  tag: 'CRM',
  addition: true,
  permission: 'crm:update',
  idempotent: true,
  params: idPath,
  body: z
    .strictObject({
      customerId: recordId.optional().meta({ description: 'Id of an existing customer. Default: a new customer.' }),
      customer: z
        .strictObject({ name: line(200).optional(), ...customerInputs })
        .optional()
        .meta({ description: 'Fields of the new customer; the others are taken from the lead.' }),
      opportunity: z.strictObject({ name: opportunityName.optional(), ...opportunityFields }).optional(),
    })
    .refine((body) => body.customerId === undefined || body.customer === undefined, {
      path: ['customer'],
      message: 'must be absent if customerId is sent',
    })
    .meta({ not: { required: ['customerId', 'customer'] } }),
  bodyExample: { opportunity: { amount: 12_500 } },
  replies: {
    200: {
      description: 'The converted lead, the customer and the opportunity.',
      schema: z.object({
        data: z.object({ lead: leadSchema, customer: customerSchema, opportunity: opportunityDetailSchema }),
        message: z.string(),
      }),
      example: {
        data: {
          lead: { ...exampleLead, status: 'converted', customerId: 1, opportunityId: 1 },
          customer: exampleCustomer,
          opportunity: exampleOpportunityDetail,
        },
        message: 'Lead 1 converted.',
      },
    },
  },
  errors: {
    409: '`lead_converted` or `lead_lost`, another customer has the code (`code_taken`), or the Idempotency-Key is in use.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const { opportunity: deal } = body;
    const input = {
      ...body,
      opportunity: deal === undefined ? undefined : parseExpectedCloseDate(deal, timeZone, 'opportunity.'),
    };
    const conversion = await convertLead(context.platform, caller, params.id, input, context.idempotency);
    const data = {
      lead: presentLead(conversion.lead),
      customer: presentCustomer(conversion.customer),
      opportunity: await presentOpportunityDetail(conversion.opportunity),
    };
    return {
      status: 200,
      headers: buildEtagHeader(conversion.lead.version),
      body: serializeResponse({ data, message: `Lead ${conversion.lead.id} converted.` }, timeZone),
    };
  },
});

export const leadConversionRoutes: readonly Route[] = [convert];
