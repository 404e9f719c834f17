import { IconBuilding } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity }) => identity.has('kyb:read'),
  pages: [
    { path: '/companies', load: () => import('./companies-page') },
    { path: '/companies/$checkId', load: () => import('./company-page') },
  ],
  navigation: [
    {
      section: 'verification',
      order: 40,
      label: { en: 'Companies', de: 'Unternehmen' },
      icon: IconBuilding,
      to: '/companies',
    },
  ],
});
