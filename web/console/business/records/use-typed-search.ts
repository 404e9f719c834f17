import { useLayoutEffect, useRef, useState } from 'react';
import type { MouseEvent } from 'react';

/**
 * The text of a field that searches as the user types. The field takes the name of the chosen record as soon as it is
 * read, which does not replace what the user is typing meanwhile. The name is selected while the field has the focus, so
 * that what is typed replaces it.
 * @param name of the chosen record, undefined while there is none or it is being read
 */
export function useTypedSearch(name: string | undefined) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  /** Whether the next change of the text is one of the user; the event of the input comes first. */
  const isInput = useRef(false);
  const isTyping = useRef(false);
  useLayoutEffect(() => {
    if (!isTyping.current && document.activeElement === input.current) input.current?.select();
  }, [text]);
  return {
    text,
    props: {
      ref: input,
      searchValue: text,
      onInput: () => {
        isInput.current = true;
      },
      onSearchChange: (next: string) => {
        const isTyped = isInput.current;
        isInput.current = false;
        if (isTyped) isTyping.current = next !== '';
        if (isTyped || !isTyping.current || next === '') setText(next);
      },
      onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => {
        if (currentTarget.value === name) currentTarget.select();
      },
      onDropdownClose: () => {
        isTyping.current = false;
      },
    },
  };
}
