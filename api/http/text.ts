import { z } from 'zod';

/** Pattern of a text that is not white space alone, which trimming would leave empty. */
export const VISIBLE_TEXT = '[^\\s\\uFEFF]';

/** Text that is not empty, taken as it was sent. */
export const requiredText = (maxLength: number) => z.string().min(1).max(maxLength);

/** Trimmed text that is not empty. */
export const trimmedText = (maxLength: number) =>
  z.string().trim().min(1).max(maxLength).meta({ pattern: VISIBLE_TEXT });
