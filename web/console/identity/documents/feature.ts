import { IconBan } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity }) => identity.has('blocklist:read'),
  pages: [{ path: '/blocklist', load: () => import('./blocklist-page') }],
  navigation: [
    {
      section: 'verification',
      order: 60,
      label: { en: 'Blocklist', de: 'Sperrliste' },
      icon: IconBan,
      to: '/blocklist',
    },
  ],
});
