import { IconKey } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ identity, business }) => identity.has('keys:read') || business.has('admin:read'),
  pages: [{ path: '/keys', load: () => import('./keys-page') }],
  navigation: [
    { section: 'developers', order: 10, label: { en: 'API keys', de: 'API-Schlüssel' }, icon: IconKey, to: '/keys' },
  ],
});
