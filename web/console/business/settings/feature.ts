import { IconSettings } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('config:read'),
  pages: [
    { path: '/company', load: () => import('./settings-page') },
    { path: '/company/$section', load: () => import('./settings-page') },
  ],
  navigation: [
    {
      section: 'business',
      order: 95,
      label: { en: 'Settings', de: 'Einstellungen' },
      icon: IconSettings,
      to: '/company',
    },
  ],
});
