import { IconListCheck, IconUserScan } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity }) => identity.has('sessions:read'),
  pages: [
    { path: '/review', load: () => import('./review-page') },
    { path: '/sessions', load: () => import('./sessions-page') },
    {
      path: '/sessions/new',
      load: () => import('./new-session-page'),
      allows: ({ identity }) => identity.has('sessions:write'),
    },
    { path: '/sessions/$sessionId', load: () => import('./session-page') },
  ],
  navigation: [
    {
      section: 'verification',
      order: 10,
      label: { en: 'Review queue', de: 'Prüfliste' },
      icon: IconListCheck,
      to: '/review',
    },
    {
      section: 'verification',
      order: 20,
      label: { en: 'Sessions', de: 'Sitzungen' },
      icon: IconUserScan,
      to: '/sessions',
    },
  ],
});
