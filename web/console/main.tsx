import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './console.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startTranslations } from '../shared/i18n';
import { ConsoleApp } from './app';
import { readLanguage } from './language';
import { LANGUAGES } from './texts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');

await startTranslations({
  languages: LANGUAGES,
  language: readLanguage(),
  files: import.meta.glob('./locales/*/*.json'),
  namespaces: ['common'],
});

createRoot(root).render(
  <StrictMode>
    <ConsoleApp />
  </StrictMode>,
);
