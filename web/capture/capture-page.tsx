import '@mantine/core/styles/Container.css';
import { Container } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type en from './locales/en/capture.json';

declare module '../shared/i18n' {
  interface Texts {
    capture: typeof en;
  }
}

/** What a link to a verification session opens. */
export function CapturePage() {
  const { t } = useTranslation('capture');
  return (
    <Container component="main" size="xs" py="xl">
      <h1>{t('title')}</h1>
      <p>{t('linkMissing')}</p>
    </Container>
  );
}
