import { IconBook2 } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('accounting:read'),
  pages: [
    { path: '/journal', load: () => import('./journal-page') },
    { path: '/journal/trial-balance', load: () => import('./trial-balance-page') },
    { path: '/journal/vat', load: () => import('./vat-report-page') },
  ],
  navigation: [
    {
      section: 'business',
      order: 70,
      label: { en: 'Accounting', de: 'Buchhaltung' },
      icon: IconBook2,
      to: '/journal',
    },
  ],
});
