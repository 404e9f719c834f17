import { z } from 'zod';
import { getLockVersion, getPeriodLock, setPeriodLock } from '../../../services/business/settings/period-lock';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { buildEtagHeader, parseIfMatch, VERSION_MISMATCH } from '../../http/versions';
import { getCaller } from '../caller';
import { parseCalendarField, day, dayInput, line } from '../fields';

const periodLockSchema = z.object({
  lockedThrough: day
    .nullable()
    .meta({ description: 'Last locked day: postings dated on or before it are rejected. Null if nothing is locked.' }),
});
const periodLockReply = {
  schema: z.object({ data: periodLockSchema }),
  example: { data: { lockedThrough: '2026-10-31' } },
};

const read = defineRoute({
  method: 'get',
  path: '/api/config/period-lock',
  operationId: 'getPeriodLock',
  summary: 'Get the period lock',
  tag: 'Configuration',
  addition: true,
  permission: 'config:read',
  replies: { 200: { description: 'The period lock.', ...periodLockReply } },
  async handle(context) {
    const lock = await getPeriodLock(await getCaller(context));
    return { status: 200, headers: buildEtagHeader(getLockVersion(lock)), body: { data: lock } };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/period-lock',
  operationId: 'setPeriodLock',
  summary: 'Set or move the period lock',
  description:
    'A posting dated on or before the day is rejected with `period_locked`. An earlier day or null reopens days and requires a reason. Every change is recorded in the audit log with its author and reason. Honours If-Match.',
  tag: 'Configuration',
  addition: true,
  permission: 'config:lock',
  body: z.strictObject({ lockedThrough: dayInput.nullable(), reason: line(500).optional() }),
  bodyExample: { lockedThrough: '2026-10-31' },
  replies: { 200: { description: 'The updated period lock.', ...periodLockReply } },
  errors: { 412: VERSION_MISMATCH },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const lockedThrough = parseCalendarField('lockedThrough', body.lockedThrough, caller.company.timeZone);
    const change = { lockedThrough, reason: body.reason, ifMatch: parseIfMatch(context) };
    const lock = await setPeriodLock(context.platform, caller, change);
    return { status: 200, headers: buildEtagHeader(getLockVersion(lock)), body: { data: lock } };
  },
});

export const periodLockRoutes: readonly Route[] = [read, update];
