import { IconBuildingWarehouse } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('inventory:read'),
  pages: [
    { path: '/stock', load: () => import('./stock-page') },
    {
      path: '/stock/adjust',
      load: () => import('./adjustment-editor'),
      allows: ({ business }) => business.has('inventory:adjust'),
    },
    {
      path: '/stock/transfer',
      load: () => import('./transfer-editor'),
      allows: ({ business }) => business.has('inventory:transfer'),
    },
  ],
  navigation: [
    {
      section: 'business',
      order: 40,
      label: { en: 'Stock', de: 'Lager' },
      icon: IconBuildingWarehouse,
      to: '/stock',
    },
  ],
});
