import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

const guards = new Set<() => boolean>();

/** Whether a form of the page has values that were not sent. */
export const hasUnsentValues = (): boolean => [...guards].some((guard) => guard());

/**
 * Asks before a page is left whose form has values that were not sent, also when the window is closed or loaded again.
 *
 * @param hasUnsent whether there are any; called when the user leaves
 */
export function useLeaveGuard(hasUnsent: () => boolean): void {
  const { t } = useTranslation('common');
  const askToLeave = (): Promise<boolean> =>
    new Promise((resolve) => {
      modals.openConfirmModal({
        title: t('leave.title'),
        children: t('leave.text'),
        labels: { confirm: t('leave.confirm'), cancel: t('leave.stay') },
        confirmProps: { color: 'red' },
        onConfirm: () => resolve(true),
        // Called after `onConfirm`, too, when the answer is already given.
        onClose: () => resolve(false),
      });
    });
  const latest = useRef(hasUnsent);
  useEffect(() => {
    latest.current = hasUnsent;
  });
  useEffect(() => {
    const guard = (): boolean => latest.current();
    guards.add(guard);
    return () => void guards.delete(guard);
  }, []);
  useBlocker({
    shouldBlockFn: async ({ current, next }) =>
      // Filters of the same page leave nothing.
      current.pathname !== next.pathname && hasUnsent() && !(await askToLeave()),
    enableBeforeUnload: hasUnsent,
  });
}
