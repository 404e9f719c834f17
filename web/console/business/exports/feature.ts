import { IconFileExport } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('exports:read'),
  pages: [{ path: '/exports', load: () => import('./export-list') }],
  navigation: [
    { section: 'business', order: 90, label: { en: 'Exports', de: 'Exporte' }, icon: IconFileExport, to: '/exports' },
  ],
});
