import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import type { ChangeEvent, RefObject } from 'react';

const DELAY_MS = 400;

interface TypedFilter {
  ref: RefObject<HTMLInputElement | null>;
  defaultValue: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

/**
 * The properties of a field whose text is in the address of the page, which changes once the user pauses: until then the
 * field alone has what is typed.
 *
 * @param text the text of the address
 */
export function useTypedFilter(text: string, report: (typed: string) => void): TypedFilter {
  const reportLater = useDebouncedCallback(report, DELAY_MS);
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // The address changes from outside, as by going back or resetting; what the user is typing is newer.
    if (ref.current !== null && ref.current !== document.activeElement) ref.current.value = text;
  }, [text]);
  return { ref, defaultValue: text, onChange: (event) => reportLater(event.currentTarget.value) };
}
