import { Select } from '@mantine/core';
import type { SelectProps } from '@mantine/core';
import { alpha3ToAlpha2, getAlpha2Codes } from 'i18n-iso-countries';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';

const CODES = Object.keys(getAlpha2Codes());

interface CountrySelectProps extends Pick<SelectProps, 'label' | 'placeholder' | 'w' | 'flex' | 'error' | 'onBlur'> {
  /** ISO 3166-1 code; empty for none. */
  value?: string | undefined;
  /** Is given the alpha-2 code, or an empty text. */
  onChange?: (code: string) => void;
}

/** All countries by their names in the language of the user; a code that is not among them, such as a stored one, too. */
function useCountryOptions(code: string): { value: string; label: string }[] {
  const { language } = useTranslation().i18n;
  const countries = useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    const options = CODES.map((value) => ({ value, label: names.of(value) ?? value }));
    return options.sort((a, b) => a.label.localeCompare(b.label, language));
  }, [language]);
  return code === '' || CODES.includes(code) ? countries : [...countries, { value: code, label: code }];
}

/** A country, which is found by its name in the language of the user or by its code. */
export function CountrySelect({ value = '', onChange, ...props }: CountrySelectProps) {
  const code = alpha3ToAlpha2(value) ?? value;
  return (
    <Select
      searchable
      clearable
      {...props}
      data={useCountryOptions(code)}
      value={code === '' ? null : code}
      onChange={(chosen) => onChange?.(chosen ?? '')}
      filter={({ options, search }) => {
        const text = search.trim().toLowerCase();
        return options.filter(
          (option) =>
            'value' in option && (option.label.toLowerCase().includes(text) || option.value.toLowerCase() === text),
        );
      }}
    />
  );
}
