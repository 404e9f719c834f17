import { TextInput } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useTypedFilter } from './use-typed-filter';

interface SearchInputProps extends Omit<TextInputProps, 'onChange' | 'value' | 'defaultValue'> {
  /** The text of the address of the page. */
  text: string | undefined;
  /** Called once the user pauses; replace the entry of the history, so that going back leaves the page. */
  onSearch: (text: string) => void;
}

/** A filter that is typed: the list is read again once the user pauses. */
export function SearchInput({ text = '', onSearch, ...props }: SearchInputProps) {
  return <TextInput {...props} {...useTypedFilter(text, onSearch)} />;
}
