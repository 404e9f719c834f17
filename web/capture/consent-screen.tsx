import { Button, Stack, Text } from '@mantine/core';
import i18next from 'i18next';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { VouchError } from '../../clients/typescript/src/errors';
import type { OperationResponse } from '../../clients/typescript/src/calls';
import { client } from './api';
import type { CaptureState } from './api';
import { Busy, FailureAlert, Screen } from './screen';
import { isLanguage } from './texts';

type Consent = OperationResponse<'getCaptureConsent'>['consent'];

interface ConsentScreenProps {
  state: CaptureState;
  onState: (state: CaptureState) => void;
}

/** The last paragraph is the consent itself. */
const ConsentText = ({ paragraphs }: Pick<Consent, 'paragraphs'>) => (
  <Stack gap="sm">
    {paragraphs.map((paragraph, index) => (
      <Text key={paragraph} {...(index === paragraphs.length - 1 ? { fw: 600 } : {})}>
        {paragraph}
      </Text>
    ))}
  </Stack>
);

/**
 * What the person agrees to before anything is recorded; the service says the text and keeps it with the session. Once
 * the language has changed, the text in the new one is awaited, so that no other text is agreed to.
 */
export function ConsentScreen({ state, onState }: ConsentScreenProps) {
  const { t } = useTranslation('capture');
  const language = isLanguage(i18next.language) ? i18next.language : 'en';
  const [consent, setConsent] = useState<Consent | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [isChanged, setChanged] = useState(false);
  const [isSending, setSending] = useState(false);
  const [attempt, setAttempt] = useState(0);

  useEffect(() => {
    const ended = new AbortController();
    client.getCaptureConsent({ language }, { signal: ended.signal }).then(
      (response) => setConsent(response.consent),
      (reason: unknown) => ended.signal.aborted || setError(reason),
    );
    return () => ended.abort();
  }, [language, attempt]);

  const shown = consent?.language === language ? consent : null;

  const reload = (): void => {
    setError(null);
    setAttempt(attempt + 1);
  };

  const agree = async (): Promise<void> => {
    if (shown === null) return;
    setSending(true);
    setError(null);
    try {
      onState((await client.giveCaptureConsent({ version: shown.version, language: shown.language })).state);
    } catch (reason) {
      const isOutdated = reason instanceof VouchError && reason.code === 'consent_outdated';
      setChanged(isOutdated);
      if (isOutdated) reload();
      else setError(reason);
      setSending(false);
    }
  };

  return (
    <Screen heading={t('consent.heading')}>
      {isChanged && <Text role="status">{t('consent.changed')}</Text>}
      {error !== null && <FailureAlert error={error} onRetry={reload} />}
      {shown === null ? (
        error === null && <Busy label={t('opening')} />
      ) : (
        <>
          <ConsentText paragraphs={shown.paragraphs} />
          <Button size="md" onClick={() => void agree()} loading={isSending}>
            {t('consent.agree')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('consent.decline', { organisation: state.organisation.name })}
          </Text>
        </>
      )}
    </Screen>
  );
}
