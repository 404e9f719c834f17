import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { formatDate } from '../../../shared/format';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ActivityBadge } from '../records/activity';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { formatDecimal } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import { settingsSearch } from './settings-search';
import { TaxRateDialog } from './tax-rate-dialog';
import type { TaxRate } from './tax-rate-dialog';
import { TaxSetDialog } from './tax-set-dialog';

const SORTS = ['name', 'createdAt'] as const;

const column = defineColumns<TaxRate>();
const numberColumn = defineNumberColumns<TaxRate>();

const describeComponents = ({ components }: TaxRate): string =>
  (components ?? []).map(({ name, percent }) => `${name} ${formatDecimal(percent)} %`).join(' + ');

function useColumns(edit: ((rate: TaxRate) => void) | null) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  return [
    column('name', t('name'), (rate) =>
      edit === null ? (
        rate.name
      ) : (
        <Anchor component="button" size="sm" onClick={() => edit(rate)}>
          {rate.name}
        </Anchor>
      ),
    ),
    numberColumn('percent', t('percent'), ({ percent }) => `${formatDecimal(percent)} %`),
    column('components', t('components'), (rate) => describeComponents(rate) || '–'),
    column('category', t('category'), ({ category }) => `${category} – ${t(`categories.${category}`)}`),
    column('profile', t('profile'), ({ profile }) => (profile === null ? '–' : t(`profiles.${profile}`))),
    column('validTo', t('validTo'), ({ validTo }) => (validTo === null ? '–' : formatDate(validTo))),
    column('active', common('activity.label'), ({ active }) => <ActivityBadge active={active} />),
  ];
}

/** The tax rates of the company: chosen for a country, created and changed. */
export default function TaxRates() {
  const { t } = useTranslation('settings');
  const { business: permissions } = useSession();
  const canChange = permissions.has('config:update');
  const [position, change] = usePageSearch(settingsSearch);
  const [choosing, set] = useDisclosure();
  const [editing, editor] = useDisclosure();
  const [rate, setRate] = useState<TaxRate | null>(null);
  const edit = (next: TaxRate | null): void => {
    setRate(next);
    editor.open();
  };
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, active: 'all' as const };
  const actions = canChange && (
    <Group>
      <Button onClick={() => edit(null)}>{t('newTaxRate')}</Button>
      <Button variant="default" onClick={set.open}>
        {t('taxSet')}
      </Button>
    </Group>
  );
  return (
    <Stack>
      {actions}
      <TaxSetDialog opened={choosing} close={set.close} />
      <TaxRateDialog rate={rate} opened={editing} close={editor.close} />
      <RecordList
        label={t('tabs.taxes')}
        columns={useColumns(canChange ? edit : null)}
        getRowId={({ id }) => String(id)}
        operation="listTaxRates"
        parameters={[query]}
        read={(options) => business.listTaxRates(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        empty={<Text maw={480}>{t('noTaxRates')}</Text>}
      />
    </Stack>
  );
}
