import { IconPalette } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity }) => identity.has('workflows:read'),
  pages: [{ path: '/branding', load: () => import('./branding-page') }],
  navigation: [
    {
      section: 'verification',
      order: 75,
      label: { en: 'Branding', de: 'Erscheinungsbild' },
      icon: IconPalette,
      to: '/branding',
    },
  ],
});
