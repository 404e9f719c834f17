import { IconReceiptRefund } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: ({ business }) => business.has('credit-notes:read'),
  pages: [
    { path: '/credit-notes', load: () => import('./credit-note-list') },
    { path: '/credit-notes/$creditNoteId', load: () => import('./credit-note-page') },
  ],
  navigation: [
    {
      section: 'business',
      order: 12,
      label: { en: 'Credit notes', de: 'Gutschriften' },
      icon: IconReceiptRefund,
      to: '/credit-notes',
    },
  ],
});
