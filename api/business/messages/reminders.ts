import { z } from 'zod';
import { Decimal } from '../../../domain/business/decimal';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import { MAX_REMINDER_LEVELS, REMINDER_OBSTACLES } from '../../../domain/business/messages/reminder-rules';
import type { ReminderLevel } from '../../../domain/business/messages/reminder-rules';
import { PAUSED_KINDS } from '../../../models/business/messages/reminder-settings';
import { getReminderSchedule, setReminderSchedule } from '../../../services/business/messages/reminder-settings';
import type { ReminderSchedule } from '../../../services/business/messages/reminder-settings';
import { listDueReminders, requestReminders } from '../../../services/business/messages/reminder-runs';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { amount, day, flag, NULLABLE_DECIMAL, paragraph } from '../fields';
import { buildEtagHeader, parseIfMatch } from '../revisions';
import { serializeResponse } from '../serialization';

const HOUR = 'must be a whole number from 0 to 23';
const DAYS = 'must be a whole number of days, 1 to 365';

const interestTextSchema = z.partialRecord(z.enum(DOCUMENT_LANGUAGES), z.string());

const scheduleSchema = z.object({
  automatic: z.boolean(),
  hour: z.number().int(),
  minimumOpenAmount: z.number(),
  levels: z.array(
    z.object({ daysAfterDue: z.number().int(), fee: z.number().nullable(), interestText: interestTextSchema }),
  ),
});

const exampleSchedule = {
  automatic: true,
  hour: 8,
  minimumOpenAmount: 5,
  levels: [
    { daysAfterDue: 7, fee: null, interestText: {} },
    { daysAfterDue: 21, fee: 5, interestText: {} },
    {
      daysAfterDue: 35,
      fee: 10,
      interestText: { en: 'From today we charge interest at nine percentage points above the base rate.' },
    },
  ],
};

const presentSchedule = ({ automatic, hour, minimumOpenAmount, levels }: ReminderSchedule) => ({
  automatic,
  hour,
  minimumOpenAmount,
  levels: levels.map(({ daysAfterDue, fee, interestText }) => ({
    daysAfterDue,
    fee: fee === null ? null : new Decimal(fee),
    interestText,
  })),
});

const levelInput = z.strictObject(
  {
    daysAfterDue: z.number({ error: DAYS }).int(DAYS).min(1, DAYS).max(365, DAYS),
    fee: amount
      .nullable()
      .default(null)
      .meta({
        ...NULLABLE_DECIMAL,
        description:
          'Fee in base currency, stated in the message; it is not posted. Set only what the law allows for your customers.',
      }),
    interestText: z
      .partialRecord(z.enum(DOCUMENT_LANGUAGES), paragraph(500), {
        error: `accepts texts by language: ${DOCUMENT_LANGUAGES.join(', ')}`,
      })
      .default({})
      .meta({ description: 'What the message says about interest, by language.' }),
  },
  { error: (issue) => (issue.code === 'invalid_type' ? 'must be an object' : undefined) },
);

const body = z.strictObject({
  automatic: flag.meta({ description: 'Whether due reminders are sent every day; else only on request.' }),
  hour: z
    .number({ error: HOUR })
    .int(HOUR)
    .min(0, HOUR)
    .max(23, HOUR)
    .default(8)
    .meta({ description: 'Hour at which they are sent, in the time zone of the company.' }),
  minimumOpenAmount: amount
    .default(new Decimal(0))
    .meta({ default: 0, description: 'Invoices with less open, in base currency, get no reminder.' }),
  levels: z
    .array(levelInput, { error: 'must be an array' })
    .max(MAX_REMINDER_LEVELS, `must have at most ${MAX_REMINDER_LEVELS} levels`)
    .refine(
      (levels) => levels.every((level, index) => level.daysAfterDue > (levels[index - 1]?.daysAfterDue ?? 0)),
      'must have increasing daysAfterDue',
    ),
});

const scheduleReply = { schema: z.object({ data: scheduleSchema }), example: { data: exampleSchedule } };

const read = defineRoute({
  method: 'get',
  path: '/api/config/reminders',
  operationId: 'getReminderSchedule',
  summary: 'Get the reminder schedule',
  tag: 'Configuration',
  addition: true,
  permission: 'config:read',
  replies: { 200: { description: 'The schedule; without levels if none was set.', ...scheduleReply } },
  async handle(context) {
    const { organisationId, company } = await getCaller(context);
    const schedule = await getReminderSchedule(organisationId);
    return {
      status: 200,
      headers: buildEtagHeader(schedule.version),
      body: serializeResponse({ data: presentSchedule(schedule) }, company.timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/reminders',
  operationId: 'setReminderSchedule',
  summary: 'Set the reminder schedule',
  description:
    'Each level is sent once to each overdue invoice, in order. Between two levels are at least the days between them in the schedule, also after a pause. ' +
    'Reminders end when nothing is open. Fees and interest are stated in the message and not posted. Honours If-Match.',
  tag: 'Configuration',
  addition: true,
  permission: 'config:update',
  body,
  bodyExample: exampleSchedule,
  replies: { 200: { description: 'The schedule.', ...scheduleReply } },
  errors: { 412: 'The record has changed since the version that If-Match names.' },
  async handle(context, { body: sent }) {
    const caller = await getCaller(context);
    const levels: ReminderLevel[] = sent.levels.map(({ daysAfterDue, fee, interestText }) => ({
      daysAfterDue,
      fee: fee === null ? null : fee.toFixed(),
      interestText: Object.fromEntries(
        DOCUMENT_LANGUAGES.flatMap((code) => {
          const text = interestText[code];
          return text === undefined || text === '' ? [] : [[code, text]];
        }),
      ),
    }));
    const { automatic, hour, minimumOpenAmount } = sent;
    const input = { automatic, hour, minimumOpenAmount, levels };
    const schedule = await setReminderSchedule(context.platform, caller, input, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(schedule.version),
      body: serializeResponse({ data: presentSchedule(schedule) }, caller.company.timeZone),
    };
  },
});

const reminderSchema = z.object({
  invoiceId: z.number().int(),
  number: z.string(),
  customerId: z.number().int(),
  customerName: z.string(),
  currencyCode: z.string(),
  open: z.number(),
  dueDate: day,
  level: z.number().int(),
  day: day.meta({ description: 'Day from which the reminder is due.' }),
  pausedBy: z.enum(PAUSED_KINDS).nullable().meta({ description: 'Whose pause holds it back.' }),
  obstacle: z.enum(REMINDER_OBSTACLES).nullable().meta({
    description:
      'Why the next run does not send it; null if it does. `credit_available`: payments and credit notes of the customer that were not applied cover the invoice; `no_email_address`: neither the customer nor the invoice has one; `address_refused`: a mail server has refused this level because of the present address, or returned it. A reminder that was refused for another reason, such as its content, is sent again.',
  }),
});

const exampleReminder = {
  invoiceId: 1,
  number: 'INV-2026-000001',
  customerId: 1,
  customerName: 'Customer Ltd',
  currencyCode: 'EUR',
  open: 120,
  dueDate: '2026-10-31',
  level: 1,
  day: '2026-11-07',
  pausedBy: null,
  obstacle: null,
};

const list = defineRoute({
  method: 'get',
  path: '/api/reminders',
  operationId: 'listDueReminders',
  summary: 'List due reminders',
  description:
    'The reminders that the next run sends, and those that are held back, with the reason; the longest overdue first. A level whose reminder failed is due again.',
  tag: 'Receivables',
  addition: true,
  permission: 'receivables:read',
  replies: {
    200: {
      description: 'At most 1,000 reminders.',
      schema: z.object({
        data: z.array(reminderSchema),
        isComplete: z.boolean().meta({ description: 'Whether these are all.' }),
      }),
      example: { data: [exampleReminder], isComplete: true },
    },
  },
  async handle(context) {
    const caller = await getCaller(context);
    const { reminders: data, isComplete } = await listDueReminders(context.platform, caller);
    return { status: 200, body: serializeResponse({ data, isComplete }, caller.company.timeZone) };
  },
});

const run = defineRoute({
  method: 'post',
  path: '/api/reminders/send',
  operationId: 'sendDueReminders',
  summary: 'Send due reminders now',
  description:
    'Queues what `GET /api/reminders` lists, except what has an `obstacle`. A repeated request sends nothing twice.',
  tag: 'Receivables',
  addition: true,
  permission: 'messages:send',
  replies: {
    202: {
      description: 'The reminders are being queued.',
      schema: z.object({ message: z.string() }),
      example: { message: 'The due reminders are being sent.' },
    },
  },
  errors: { 409: '`email_not_configured` or `reminders_not_configured`: set them first.' },
  async handle(context) {
    await requestReminders(context.platform, await getCaller(context));
    return { status: 202, body: { message: 'The due reminders are being sent.' } };
  },
});

export const reminderRoutes: readonly Route[] = [read, update, list, run];
