import { z } from 'zod';

/** Base URL without a trailing slash. */
export const baseUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));
