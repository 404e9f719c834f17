import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ReactNode } from 'react';
import { Page } from '../../components/page';
import { HandOverButton } from './hand-over-button';
import '../texts';

const PATHS = { journal: '/journal', 'trial-balance': '/journal/trial-balance', vat: '/journal/vat' } as const;

type Tab = keyof typeof PATHS;

/** The frame of the pages of accounting: journal and reports, each with an address of its own. */
export function AccountingPage({ tab, children }: { tab: Tab; children: ReactNode }) {
  const { t } = useTranslation('accounting');
  const navigate = useNavigate();
  return (
    <Page title={t('title')} actions={<HandOverButton />}>
      <Tabs value={tab} onChange={(value) => void navigate({ to: PATHS[value as Tab] })}>
        <Tabs.List aria-label={t('title')} mb="md">
          {(Object.keys(PATHS) as Tab[]).map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t(`tabs.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab}>{children}</Tabs.Panel>
      </Tabs>
    </Page>
  );
}
