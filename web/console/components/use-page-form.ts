import { useRef } from 'react';
import { useApiForm } from './use-api-form';
import type { ApiForm, ApiFormOptions } from './use-api-form';
import { useLeaveGuard } from './use-leave-guard';

/** A form of a page, which is not left with unsent values unasked, and keeps them while the user signs in again. */
export function usePageForm<V extends Record<string, unknown>, R>(options: ApiFormOptions<V, R>): ApiForm<V> {
  const initial = useRef(JSON.stringify(options.initialValues));
  const sent = useRef<string | null>(null);
  const api = useApiForm<V, R>({
    ...options,
    onDone: (result, values) => {
      sent.current = JSON.stringify(values);
      return options.onDone?.(result, values);
    },
  });
  useLeaveGuard(() => {
    const values = JSON.stringify(api.form.values);
    return values !== initial.current && values !== sent.current;
  });
  return api;
}
