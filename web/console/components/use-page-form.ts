import { useRef } from 'react';
import { useApiForm } from './use-api-form';
import type { ApiForm, ApiFormOptions } from './use-api-form';
import { useLeaveGuard } from './use-leave-guard';

interface PageFormOptions<V extends Record<string, unknown>, R> extends ApiFormOptions<V, R> {
  /** False while the dialog of the form is closed: what was typed in it was given up. @default true */
  isShown?: boolean;
}

/**
 * A form of a page or of a dialog in it, which is not left with unsent values unasked, and keeps them while the user signs
 * in again.
 */
export function usePageForm<V extends Record<string, unknown>, R>(options: PageFormOptions<V, R>): ApiForm<V> {
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
    if (options.isShown === false) return false;
    const values = JSON.stringify(api.form.values);
    return values !== initial.current && values !== sent.current;
  });
  return api;
}
