import { IconTargetArrow } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('crm:read'),
  pages: [
    { path: '/opportunities', load: () => import('./board-page') },
    { path: '/leads', load: () => import('./lead-list') },
  ],
  navigation: [
    {
      section: 'business',
      order: 50,
      label: { en: 'Opportunities', de: 'Verkaufschancen' },
      icon: IconTargetArrow,
      to: '/opportunities',
    },
  ],
});
