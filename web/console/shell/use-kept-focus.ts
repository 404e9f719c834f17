import { useEffect } from 'react';
import type { RefObject } from 'react';

/** Dialogs return the focus 10 ms after they are closed; what they return it to can be gone, too. */
const RETURN_MS = 50;

const OPEN_DIALOG = '[role=dialog][aria-modal=true]';

/**
 * Moves the focus to an element when that which had it was removed, such as the button of a record whose status has changed:
 * otherwise the keyboard would begin again at the top of the page.
 */
export function useKeptFocus(fallback: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    let focused: Element | null = null;
    let timer: number | undefined;
    const remember = ({ target }: FocusEvent): void => {
      focused = target instanceof Element ? target : null;
    };
    const restore = (): void => {
      const isLost = document.activeElement === document.body;
      // An open dialog keeps the focus by itself.
      if (isLost && document.querySelector(OPEN_DIALOG) === null) fallback.current?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(() => {
      if (focused === null || focused.isConnected) return;
      focused = null;
      window.clearTimeout(timer);
      timer = window.setTimeout(restore, RETURN_MS);
    });
    document.addEventListener('focusin', remember);
    observer.observe(document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      observer.disconnect();
      window.clearTimeout(timer);
    };
  }, [fallback]);
}
