import { IconUsers } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('admin:read'),
  pages: [{ path: '/users', load: () => import('./users-page') }],
  navigation: [
    { section: 'administration', order: 10, label: { en: 'Users', de: 'Benutzer' }, icon: IconUsers, to: '/users' },
  ],
});
