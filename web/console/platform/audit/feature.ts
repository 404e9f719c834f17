import { IconShieldLock } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity, business }) => identity.has('audit:read') || business.has('admin:read'),
  pages: [{ path: '/audit-log', load: () => import('./audit-page') }],
  navigation: [
    {
      section: 'administration',
      order: 30,
      label: { en: 'Audit log', de: 'Prüfprotokoll' },
      icon: IconShieldLock,
      to: '/audit-log',
    },
  ],
});
