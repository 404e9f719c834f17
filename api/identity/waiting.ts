import { z } from 'zod';
import type { Preferences } from '../http/route';

const DEFAULT_WAIT_SECONDS = 25;
const MAX_WAIT_SECONDS = 60;
const WAIT_PROBLEM = `accepts whole seconds 0–${MAX_WAIT_SECONDS}`;

/** `?wait=` of routes whose result may take some time. */
export const waitQuery = z.strictObject({
  // Digits only: as a number, an empty value would be 0, and a client gets 202 only if it asks for that.
  wait: z
    .string()
    .refine((text) => /^\d{1,2}$/.test(text) && Number(text) <= MAX_WAIT_SECONDS, WAIT_PROBLEM)
    .transform(Number)
    .optional()
    .meta({
      type: 'integer',
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      description: `Seconds to wait for the result, 0–${MAX_WAIT_SECONDS}; \`Prefer: wait=\` means the same. Default ${DEFAULT_WAIT_SECONDS}.`,
    }),
});

/** How long a request waits: `?wait=` takes precedence over `Prefer`, which is limited to the maximum. */
export function resolveWaitSeconds(query: z.infer<typeof waitQuery>, preferences: Preferences): number {
  if (query.wait !== undefined) return query.wait;
  if (preferences.respondAsync) return 0;
  return Math.min(preferences.waitSeconds ?? DEFAULT_WAIT_SECONDS, MAX_WAIT_SECONDS);
}

/** How long a request for an existing record waits: only if the client asks for it. */
export const resolveGetWaitSeconds = (query: z.infer<typeof waitQuery>, preferences: Preferences): number =>
  query.wait === undefined && preferences.waitSeconds === null ? 0 : resolveWaitSeconds(query, preferences);
