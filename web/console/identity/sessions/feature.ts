import { IconUserScan } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity }) => identity.has('sessions:read'),
  pages: [{ path: '/sessions', load: () => import('./sessions-page') }],
  navigation: [
    {
      section: 'verification',
      order: 20,
      label: { en: 'Sessions', de: 'Sitzungen' },
      icon: IconUserScan,
      to: '/sessions',
    },
  ],
});
