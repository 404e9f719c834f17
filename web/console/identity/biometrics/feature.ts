import { IconFaceId } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity }) => identity.has('faces:read'),
  pages: [{ path: '/faces', load: () => import('./faces-page') }],
  navigation: [
    {
      section: 'verification',
      order: 50,
      label: { en: 'Face search', de: 'Gesichtssuche' },
      icon: IconFaceId,
      to: '/faces',
    },
  ],
});
