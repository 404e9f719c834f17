import type { z } from 'zod';
import { FUTURE_PROBLEM, isFutureDate } from '../../domain/identity/birth-date';
import { systemClock } from '../../lib/clock';

/**
 * Adds to the schema of a date of birth that it must not be in the future, whether the client states all of it or the part
 * that is known.
 */
export const rejectFutureBirthDate = <T extends z.ZodType<string>>(schema: T): T =>
  schema.refine((date) => !isFutureDate(date, systemClock.now()), { error: FUTURE_PROBLEM });
