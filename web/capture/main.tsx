import '@mantine/core/styles/baseline.css';
import '@mantine/core/styles/default-css-variables.css';
import '@mantine/core/styles/global.css';
import { MantineProvider } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startTranslations } from '../shared/i18n';
import { styleNonce } from '../shared/nonce';
import { cssVariablesResolver, theme } from '../shared/theme';
import { CapturePage } from './capture-page';

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no element with the id root.');

await startTranslations({
  languages: ['en'],
  files: import.meta.glob('./locales/*/*.json'),
  namespaces: ['capture'],
});

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <CapturePage />
    </MantineProvider>
  </StrictMode>,
);
