import { z } from 'zod';
import { getPeriodLock, setPeriodLock } from '../../../services/business/settings/period-lock';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { parseCalendarField, day, dayInput, line } from '../fields';

const periodLockSchema = z.object({
  lockedThrough: day
    .nullable()
    .meta({ description: 'Postings dated on or before this day are refused; null: nothing is locked.' }),
});
const periodLockReply = {
  schema: z.object({ data: periodLockSchema }),
  example: { data: { lockedThrough: '2026-10-31' } },
};

const read = defineRoute({
  method: 'get',
  path: '/api/config/period-lock',
  operationId: 'getPeriodLock',
  summary: 'Up to which day the books are locked',
  tag: 'Configuration',
  addition: true,
  permission: 'config:read',
  replies: { 200: { description: 'The lock.', ...periodLockReply } },
  async handle(context) {
    return { status: 200, body: { data: await getPeriodLock(await getCaller(context)) } };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/period-lock',
  operationId: 'setPeriodLock',
  summary: 'Lock the books through a day, or open days again',
  description:
    'A posting dated on or before the day is refused with `period_locked`. An earlier day, or null, opens days again and needs a reason. Who changed it, when and why is in the audit log.',
  tag: 'Configuration',
  addition: true,
  permission: 'config:lock',
  body: z.strictObject({ lockedThrough: dayInput.nullable(), reason: line(500).optional() }),
  bodyExample: { lockedThrough: '2026-10-31' },
  replies: { 200: { description: 'The lock as it is now.', ...periodLockReply } },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const lockedThrough = parseCalendarField('lockedThrough', body.lockedThrough, caller.company.timeZone);
    return { status: 200, body: { data: await setPeriodLock(context.platform, caller, lockedThrough, body.reason) } };
  },
});

export const periodLockRoutes: readonly Route[] = [read, update];
