import { IconUserCog } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: () => true,
  pages: [{ path: '/profile', load: () => import('./profile-page') }],
  navigation: [
    {
      section: 'administration',
      order: 90,
      label: { en: 'Your account', de: 'Ihr Konto' },
      icon: IconUserCog,
      to: '/profile',
    },
  ],
});
