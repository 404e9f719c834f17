import './styles';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startTranslations } from '../shared/i18n';
import { CapturePage } from './capture-page';
import { LANGUAGES } from './texts';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');

await startTranslations({
  languages: Object.keys(LANGUAGES),
  files: import.meta.glob('./locales/*/*.json'),
  namespaces: ['capture'],
});

createRoot(root).render(
  <StrictMode>
    <CapturePage />
  </StrictMode>,
);
