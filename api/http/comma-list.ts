import { z } from 'zod';

/** A query parameter that takes one or more of `values`, separated by commas or in repeated parameters. */
export function buildCommaList<T extends string>(values: readonly T[]) {
  const isValue = (text: string): text is T => values.some((value) => value === text);
  return z
    .union([z.string(), z.array(z.string())])
    .transform((sent) => [sent].flat().flatMap((text) => text.split(',').map((part) => part.trim())))
    .refine((parts): parts is T[] => parts.every(isValue), {
      error: `accepts, separated by commas: ${values.join(', ')}`,
    })
    .meta({
      type: 'string',
      pattern: `^(${values.join('|')})(,(${values.join('|')}))*$`,
      description: `One or more of ${values.join(', ')}, separated by commas; the parameter can also be repeated.`,
    });
}
