import { IconHome } from '@tabler/icons-react';
import { defineFeature } from '../../feature';

export default defineFeature({
  allows: () => true,
  pages: [{ path: '/', load: () => import('./home-page') }],
  navigation: [{ section: 'home', order: 10, label: { en: 'Home', de: 'Übersicht' }, icon: IconHome, to: '/' }],
});
