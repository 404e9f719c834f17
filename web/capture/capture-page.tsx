import { Alert, Container, DirectionProvider, Group, MantineProvider, NativeSelect, Stack, Text } from '@mantine/core';
import i18next from 'i18next';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { styleNonce } from '../shared/nonce';
import { cssVariablesResolver } from '../shared/theme';
import { buildTheme } from './brand';
import { Flow } from './flow';
import { Busy, FailureAlert, Paragraph, Screen } from './screen';
import { isLanguage, LANGUAGES } from './texts';
import { useCapture } from './use-capture';
import type { Capture, CaptureControls } from './use-capture';

/** Failures that opening the page again may cure. */
const RETRYABLE = new Set(['connection', 'unexpected', 'internal_error', 'unavailable', 'rate_limit_exceeded']);

function LanguageChoice() {
  const { t } = useTranslation('capture');
  return (
    <NativeSelect
      aria-label={t('language')}
      size="sm"
      value={i18next.language}
      onChange={(event) => void i18next.changeLanguage(event.currentTarget.value)}
      data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
    />
  );
}

/** Name and logo of the organisation, and the choice of the language. */
function Header({ capture }: { capture: Capture }) {
  const organisation = capture.phase === 'open' ? capture.state.organisation : null;
  return (
    <Group component="header" justify="space-between" wrap="wrap" gap="sm" mb="lg">
      <Group gap="sm">
        {organisation?.logo != null && <img src={organisation.logo} alt="" style={{ maxHeight: 40, maxWidth: 160 }} />}
        <Text fw={700}>{organisation?.name ?? ''}</Text>
      </Group>
      <LanguageChoice />
    </Group>
  );
}

function Content({ capture, controls }: { capture: Capture; controls: CaptureControls }): ReactNode {
  const { t } = useTranslation('capture');
  switch (capture.phase) {
    case 'opening':
      return <Busy label={t('opening')} />;
    case 'failed': {
      const { code } = capture.failure;
      return (
        <Screen heading={t('title')}>
          <FailureAlert error={capture.failure} onRetry={RETRYABLE.has(code) ? controls.retry : undefined} />
        </Screen>
      );
    }
    case 'closed':
      return (
        <Screen heading={t('title')}>
          <Paragraph>{t('result.closed')}</Paragraph>
          {capture.returnUrl !== null && (
            <a href={capture.returnUrl}>{t('return', { organisation: capture.organisation })}</a>
          )}
        </Screen>
      );
    case 'open':
      return (
        <Stack gap="md">
          {capture.state.mode === 'test' && <Alert color="yellow">{t('testMode')}</Alert>}
          <div>
            <Flow state={capture.state} controls={controls} />
          </div>
        </Stack>
      );
  }
}

/**
 * Title and language of the window: the language of the consent, also after a reload and on another device, before it
 * that of the session, unless the person chooses another one.
 */
function useWindow(capture: Capture): void {
  const { t } = useTranslation('capture');
  const state = capture.phase === 'open' ? capture.state : null;
  const language = (state?.consent?.language ?? state?.language)?.split('-')[0];
  const organisation = state?.organisation.name ?? null;
  useEffect(() => {
    if (language !== undefined && isLanguage(language)) void i18next.changeLanguage(language);
  }, [language]);
  useEffect(() => {
    document.title = organisation === null ? t('title') : t('titleWith', { organisation });
  }, [organisation, t]);
}

/** What a link to a verification session opens. */
export function CapturePage() {
  const [capture, controls] = useCapture();
  useWindow(capture);
  const color = capture.phase === 'open' ? capture.state.organisation.primaryColor : null;
  return (
    <DirectionProvider>
      <MantineProvider
        theme={buildTheme(color)}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        {/* Long words, such as names, break at 320 px. */}
        <Container size="xs" py="lg" px="md" style={{ overflowWrap: 'anywhere' }}>
          <Header capture={capture} />
          <main>
            <Content capture={capture} controls={controls} />
          </main>
        </Container>
      </MantineProvider>
    </DirectionProvider>
  );
}
