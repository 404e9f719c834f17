import { useRef, useState } from 'react';

/**
 * The text of a field that searches as the user types. The field takes the name of the chosen record as soon as it is
 * read, which does not replace what the user is typing meanwhile.
 */
export function useTypedSearch() {
  const [text, setText] = useState('');
  /** Whether the next change of the text is one of the user; the event of the input comes first. */
  const isInput = useRef(false);
  const isTyping = useRef(false);
  return {
    text,
    props: {
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
      onDropdownClose: () => {
        isTyping.current = false;
      },
    },
  };
}
