import { IconMailExclamation } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('receivables:read'),
  pages: [{ path: '/reminders', load: () => import('./due-reminders-page') }],
  navigation: [
    {
      section: 'business',
      order: 17,
      label: { en: 'Reminders', de: 'Mahnungen' },
      icon: IconMailExclamation,
      to: '/reminders',
    },
  ],
});
