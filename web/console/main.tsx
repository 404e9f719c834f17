import './styles';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startTranslations } from '../shared/i18n';
import { ConsoleApp } from './app';
import { readLanguage } from './language';
import { queryClient } from './queries';
import { sessionQuery } from './session';
import { LANGUAGES } from './texts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');

// Whether the user is signed in, while the texts are loading.
void queryClient.prefetchQuery(sessionQuery);
await startTranslations({
  languages: LANGUAGES,
  language: readLanguage(),
  files: import.meta.glob('./locales/*/*.json'),
  namespaces: ['common', 'access'],
});

createRoot(root).render(
  <StrictMode>
    <ConsoleApp />
  </StrictMode>,
);
