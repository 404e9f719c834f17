import { IconBuildingBank } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('banking:read'),
  pages: [
    { path: '/banking', load: () => import('./transaction-list') },
    { path: '/banking/statements', load: () => import('./statement-list') },
    {
      path: '/banking/import',
      load: () => import('./import-page'),
      allows: ({ business }) => business.has('banking:create'),
    },
    { path: '/banking/transactions/$transactionId', load: () => import('./transaction-page') },
  ],
  navigation: [
    {
      section: 'business',
      order: 68,
      label: { en: 'Banking', de: 'Bank' },
      icon: IconBuildingBank,
      to: '/banking',
    },
  ],
});
