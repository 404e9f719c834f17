import { Button, NativeSelect, Radio, Stack } from '@mantine/core';
import i18next from 'i18next';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { client } from './api';
import type { CaptureState, DocumentType } from './api';
import { FailureAlert, Screen } from './screen';

/** The countries of all documents by their names in the language of the page. */
function useCountries(documents: CaptureState['documents'], language: string): { value: string; label: string }[] {
  return useMemo(() => {
    const names = new Intl.DisplayNames([language], { type: 'region' });
    const codes = [...new Set(documents.flatMap(({ countries }) => countries))];
    const named = codes.map((value) => ({ value, label: names.of(value) ?? value }));
    return named.sort((a, b) => a.label.localeCompare(b.label, language));
  }, [documents, language]);
}

/** The region of a language tag; some browsers list tags that are not valid. */
function findRegion(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).region;
  } catch {
    return undefined;
  }
}

/** The country that the browser's languages suggest, if the session accepts its documents. */
const suggestCountry = (codes: readonly string[]): string => {
  const regions = navigator.languages.flatMap((tag) => findRegion(tag) ?? []);
  return regions.find((region) => codes.includes(region)) ?? (codes.length === 1 ? (codes[0] ?? '') : '');
};

interface TypeChoiceProps {
  types: readonly DocumentType[];
  chosen: DocumentType | null;
  isMissing: boolean;
  onChoose: (type: DocumentType | null) => void;
}

function TypeChoice({ types, chosen, isMissing, onChoose }: TypeChoiceProps) {
  const { t } = useTranslation('capture');
  return (
    <Radio.Group
      label={t('choice.type')}
      size="md"
      value={chosen}
      onChange={(value) => onChoose(types.find((type) => type === value) ?? null)}
      error={isMissing && t('choice.typeMissing')}
    >
      <Stack gap="xs" mt="xs">
        {types.map((type) => (
          <Radio key={type} value={type} label={t(`choice.types.${type}`)} size="md" />
        ))}
      </Stack>
    </Radio.Group>
  );
}

interface ChoiceScreenProps {
  state: CaptureState;
  onState: (state: CaptureState) => void;
}

/** Choice of the document and of the country that issued it. */
export function ChoiceScreen({ state, onState }: ChoiceScreenProps) {
  const { t } = useTranslation('capture');
  const { documents, documentChoice } = state;
  const countries = useCountries(documents, i18next.language);
  const [country, setCountry] = useState(
    () => documentChoice?.country ?? suggestCountry(countries.map(({ value }) => value)),
  );
  const [type, setType] = useState<DocumentType | null>(documentChoice?.type ?? null);
  const [isIncomplete, setIncomplete] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isSending, setSending] = useState(false);
  const offered = documents.filter((document) => country === '' || document.countries.includes(country));
  const types = offered.map((document) => document.type);
  const chosen = type !== null && types.includes(type) ? type : null;

  const choose = async (): Promise<void> => {
    setIncomplete(true);
    if (country === '' || chosen === null) return;
    setSending(true);
    setError(null);
    try {
      onState((await client.chooseCaptureDocument({ type: chosen, country })).state);
    } catch (reason) {
      setError(reason);
      setSending(false);
    }
  };

  return (
    <Screen heading={t('choice.heading')}>
      {error !== null && <FailureAlert error={error} />}
      <NativeSelect
        label={t('choice.country')}
        size="md"
        value={country}
        onChange={(event) => setCountry(event.currentTarget.value)}
        data={[{ value: '', label: t('choice.countryFirst') }, ...countries]}
        error={isIncomplete && country === '' && t('choice.countryMissing')}
      />
      <TypeChoice types={types} chosen={chosen} isMissing={isIncomplete && chosen === null} onChoose={setType} />
      <Button size="md" loading={isSending} onClick={() => void choose()}>
        {t('continue')}
      </Button>
    </Screen>
  );
}
