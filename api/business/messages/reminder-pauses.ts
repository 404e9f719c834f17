import { z } from 'zod';
import type { PausedKind } from '../../../models/business/messages/reminder-settings';
import { pauseReminders, resumeReminders } from '../../../services/business/messages/reminder-pauses';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { day, dayInput, idPath, line, parseCalendarField } from '../fields';

const pauseSchema = z.object({
  until: day.nullable().meta({ description: 'Last day of the pause; null: until it is removed.' }),
  reason: z.string().nullable(),
});

const definePauseRoutes = (kind: PausedKind, path: string, name: string): Route[] => [
  defineRoute({
    method: 'put',
    path: `${path}/:id/reminder-pause`,
    operationId: `pause${name}Reminders`,
    summary: kind === 'invoice' ? 'Pause the reminders of an invoice' : 'Pause the reminders of a customer',
    description: 'Holds back further reminders, also those that are queued. It replaces an earlier pause.',
    tag: 'Receivables',
    addition: true,
    permission: 'receivables:update',
    params: idPath,
    body: z.strictObject({
      until: dayInput.nullable().default(null),
      reason: line(500).nullable().default(null),
    }),
    bodyExample: { until: '2026-12-31', reason: 'Instalments agreed' },
    replies: {
      200: {
        description: 'The pause.',
        schema: z.object({ data: pauseSchema }),
        example: { data: { until: '2026-12-31', reason: 'Instalments agreed' } },
      },
    },
    errors: kind === 'invoice' ? { 409: '`invoice_not_issued`: a draft gets no reminders.' } : {},
    async handle(context, { params, body }) {
      const caller = await getCaller(context);
      const until = parseCalendarField('until', body.until, caller.company.timeZone);
      const pause = await pauseReminders(
        context.platform,
        caller,
        { kind, id: params.id },
        { until, reason: body.reason },
      );
      return { status: 200, body: { data: { until: pause.until, reason: pause.reason } } };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${path}/:id/reminder-pause`,
    operationId: `resume${name}Reminders`,
    summary: kind === 'invoice' ? 'Resume the reminders of an invoice' : 'Resume the reminders of a customer',
    tag: 'Receivables',
    addition: true,
    permission: 'receivables:update',
    params: idPath,
    replies: {
      200: {
        description: 'There is no pause.',
        schema: z.object({ message: z.string() }),
        example: { message: 'Reminders are not paused.' },
      },
    },
    errors: kind === 'invoice' ? { 409: '`invoice_not_issued`: a draft gets no reminders.' } : {},
    async handle(context, { params }) {
      await resumeReminders(context.platform, await getCaller(context), { kind, id: params.id });
      return { status: 200, body: { message: 'Reminders are not paused.' } };
    },
  }),
];

export const reminderPauseRoutes: readonly Route[] = [
  ...definePauseRoutes('invoice', '/api/invoices', 'Invoice'),
  ...definePauseRoutes('customer', '/api/customers', 'Customer'),
];
