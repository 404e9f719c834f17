import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { z } from 'zod';

/**
 * The search parameters of the page: filters, sorting and position of a list, so that links and the browser's history keep
 * them. Give each field of the schema a `.catch(…)`, because anyone can write an address.
 *
 * @returns the parameters, and a function that changes some of them
 */
export function usePageSearch<S extends z.ZodType<object>>(
  schema: S,
): [z.output<S>, (change: Partial<z.output<S>>, options?: { replace?: boolean }) => void] {
  const raw: unknown = useSearch({ strict: false });
  const navigate = useNavigate();
  const search = schema.parse(raw);
  const change = (part: Partial<z.output<S>>, { replace = false } = {}): void => {
    const merged = Object.entries({ ...search, ...part }).filter(
      ([, value]) => value !== undefined && value !== null && value !== '',
    );
    void navigate({ to: '.', search: Object.fromEntries(merged), replace });
  };
  return [search, change];
}

/** A parameter of the page's path, such as `sessionId` of `/sessions/$sessionId`. */
export function usePageParam(name: string): string {
  const params: Record<string, unknown> = useParams({ strict: false });
  const value = params[name];
  if (typeof value !== 'string') throw new Error(`The path of this page has no parameter ${name}.`);
  return value;
}
