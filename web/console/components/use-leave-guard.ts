import { modals } from '@mantine/modals';
import { useBlocker } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

const guards = new Set<() => boolean>();

/** Whether a form of the page has values that were not sent. */
export const hasUnsentValues = (): boolean => [...guards].some((guard) => guard());

/** A parameter of the search of an address. */
const readParameter = (search: unknown, key: string): unknown =>
  typeof search === 'object' && search !== null ? Reflect.get(search, key) : undefined;

/** Asks whether values that were not sent are given up. */
function useLeaveQuestion(): () => Promise<boolean> {
  const { t } = useTranslation('common');
  return () =>
    new Promise((resolve) => {
      const focused = document.activeElement;
      modals.openConfirmModal({
        title: t('leave.title'),
        children: t('leave.text'),
        labels: { confirm: t('leave.confirm'), cancel: t('leave.stay') },
        confirmProps: { color: 'red' },
        onConfirm: () => resolve(true),
        // Called after `onConfirm`, too, when the answer is already given.
        onClose: () => resolve(false),
        // When the browser goes back, there is no button to which the dialog returns the focus.
        onExitTransitionEnd: () => {
          if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
        },
      });
    });
}

/** Asks before all pages are shown anew, if a form has values that were not sent; resolves to whether to go on. */
export function useMayLeave(): () => Promise<boolean> {
  const ask = useLeaveQuestion();
  return async () => !hasUnsentValues() || ask();
}

/**
 * Asks before a page is left whose form has values that were not sent, also when the window is closed or loaded again.
 *
 * @param hasUnsent whether there are any; called when the user leaves
 * @param searchKeys search parameters of the page that choose what the form shows; others, such as filters, leave nothing
 */
export function useLeaveGuard(hasUnsent: () => boolean, searchKeys: readonly string[] = []): void {
  const askToLeave = useLeaveQuestion();
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
    shouldBlockFn: async ({ current, next }) => {
      const isLeft =
        current.pathname !== next.pathname ||
        searchKeys.some((key) => readParameter(current.search, key) !== readParameter(next.search, key));
      return isLeft && hasUnsent() && !(await askToLeave());
    },
    enableBeforeUnload: hasUnsent,
  });
}
