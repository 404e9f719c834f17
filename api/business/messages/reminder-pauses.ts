import { z } from 'zod';
import type { PausedKind } from '../../../models/business/messages/reminder-settings';
import { getReminderPause, pauseReminders, resumeReminders } from '../../../services/business/messages/reminder-pauses';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { day, dayInput, idPath, line, parseCalendarField } from '../fields';

const pauseSchema = z.object({
  until: day.nullable().meta({ description: 'Last day of the pause; null: until it is removed.' }),
  reason: z.string().nullable(),
});

const EXAMPLE_PAUSE = { until: '2026-12-31', reason: 'Instalments agreed' };

/** A kind of record whose reminders can be paused. */
interface PausedRoutes {
  kind: PausedKind;
  path: string;
  /** Name in the ids of operations. */
  name: string;
}

const listPauseErrors = (kind: PausedKind): Record<number, string> =>
  kind === 'invoice' ? { 409: '`invoice_not_issued`: a draft gets no reminders.' } : {};

const definePauseReading = ({ kind, path, name }: PausedRoutes): Route =>
  defineRoute({
    method: 'get',
    path: `${path}/:id/reminder-pause`,
    operationId: `get${name}ReminderPause`,
    summary: kind === 'invoice' ? 'Pause of the reminders of an invoice' : 'Pause of the reminders of a customer',
    tag: 'Receivables',
    addition: true,
    permission: 'receivables:read',
    params: idPath,
    replies: {
      200: {
        description: 'The pause; null if there is none, or its last day is over.',
        schema: z.object({ data: pauseSchema.nullable() }),
        example: { data: EXAMPLE_PAUSE },
      },
    },
    errors: listPauseErrors(kind),
    async handle(context, { params }) {
      const caller = await getCaller(context);
      const pause = await getReminderPause(context.platform, caller, { kind, id: params.id });
      return { status: 200, body: { data: pause === null ? null : { until: pause.until, reason: pause.reason } } };
    },
  });

const definePausing = ({ kind, path, name }: PausedRoutes): Route =>
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
    bodyExample: EXAMPLE_PAUSE,
    replies: {
      200: {
        description: 'The pause.',
        schema: z.object({ data: pauseSchema }),
        example: { data: EXAMPLE_PAUSE },
      },
    },
    errors: listPauseErrors(kind),
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
  });

const defineResuming = ({ kind, path, name }: PausedRoutes): Route =>
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
    errors: listPauseErrors(kind),
    async handle(context, { params }) {
      await resumeReminders(context.platform, await getCaller(context), { kind, id: params.id });
      return { status: 200, body: { message: 'Reminders are not paused.' } };
    },
  });

const definePauseRoutes = (routes: PausedRoutes): Route[] => [
  definePauseReading(routes),
  definePausing(routes),
  defineResuming(routes),
];

export const reminderPauseRoutes: readonly Route[] = [
  ...definePauseRoutes({ kind: 'invoice', path: '/api/invoices', name: 'Invoice' }),
  ...definePauseRoutes({ kind: 'customer', path: '/api/customers', name: 'Customer' }),
];
