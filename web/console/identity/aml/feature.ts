import { IconListSearch } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity }) => identity.has('aml:read'),
  pages: [
    { path: '/aml', load: () => import('./screenings-page') },
    { path: '/aml/screenings/$screeningId', load: () => import('./screening-page') },
    { path: '/aml/monitors', load: () => import('./monitors-page') },
    { path: '/aml/lists', load: () => import('./lists-page') },
  ],
  navigation: [
    {
      section: 'verification',
      order: 30,
      label: { en: 'Watch lists', de: 'Sanktionslisten' },
      icon: IconListSearch,
      to: '/aml',
    },
  ],
});
