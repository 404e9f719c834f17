import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { oneOf } from '../records/record-list';
import { CompanySettings } from './company-settings';
import { NumberingProof } from './numbering-proof';
import { PeriodLock } from './period-lock';
import { settingsSearch } from './settings-search';
import { TaxRates } from './tax-rates';

const TABS = ['company', 'taxes', 'numbering', 'lock'] as const;

/** The settings of the company: what documents print, taxes, numbers, and the locked period. */
export default function SettingsPage() {
  const { t } = useTranslation('settings');
  const navigate = useNavigate();
  const [search] = usePageSearch(settingsSearch);
  const tab = oneOf(TABS, search.tab) ?? 'company';
  return (
    <Page title={t('title')}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(value) => void navigate({ to: '.', search: value === 'company' ? {} : { tab: value } })}
      >
        <Tabs.List aria-label={t('tabsLabel')} mb="md">
          {TABS.map((value) => (
            <Tabs.Tab key={value} value={value}>
              {t(`tabs.${value}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="company">
          <CompanySettings />
        </Tabs.Panel>
        <Tabs.Panel value="taxes">
          <TaxRates />
        </Tabs.Panel>
        <Tabs.Panel value="numbering">
          <NumberingProof />
        </Tabs.Panel>
        <Tabs.Panel value="lock">
          <PeriodLock />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
