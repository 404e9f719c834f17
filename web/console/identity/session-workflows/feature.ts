import { IconAdjustments } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity }) => identity.has('workflows:read'),
  pages: [
    { path: '/session-workflows', load: () => import('./workflows-page') },
    { path: '/session-workflows/$workflowId', load: () => import('./workflow-page') },
  ],
  navigation: [
    {
      section: 'verification',
      order: 70,
      label: { en: 'Rules', de: 'Regeln' },
      icon: IconAdjustments,
      to: '/session-workflows',
    },
  ],
});
