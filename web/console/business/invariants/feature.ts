import { IconScale } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('admin:read'),
  pages: [{ path: '/invariants', load: () => import('./invariants-page') }],
  navigation: [
    {
      section: 'business',
      order: 97,
      label: { en: 'Integrity', de: 'Integrität' },
      icon: IconScale,
      to: '/invariants',
    },
  ],
});
