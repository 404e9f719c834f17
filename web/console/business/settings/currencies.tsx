import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ActivityBadge, ActivityButton } from '../records/activity';
import { defineColumns } from '../records/columns';
import { DialogForm } from '../records/dialog-form';
import { oneOf, RecordList } from '../records/record-list';
import { settingsSearch } from './settings-search';

type Currency = BusinessResponse<'listCurrencies'>['data'][number];

const SORTS = ['code', 'createdAt'] as const;

function NewCurrency() {
  const { t } = useTranslation('settings');
  const [opened, { open, close }] = useDisclosure();
  return (
    <Group>
      <Button onClick={open}>{t('addCurrency')}</Button>
      <DialogForm
        opened={opened}
        close={close}
        title={t('addCurrency')}
        initialValues={{ code: '' }}
        submit={({ code }) => business.addCurrency({ code: code.toUpperCase() })}
      >
        {(form) => (
          <TextInput
            label={t('currencyCode')}
            description={t('currencyHint')}
            required
            maxLength={3}
            {...form.getInputProps('code')}
          />
        )}
      </DialogForm>
    </Group>
  );
}

const column = defineColumns<Currency>();

/** The currencies in which documents can be written. */
export default function Currencies() {
  const { t, i18n } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const canChange = permissions.has('config:update');
  const [position, change] = usePageSearch(settingsSearch);
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, active: 'all' as const };
  const names = new Intl.DisplayNames([i18n.language], { type: 'currency' });
  return (
    <Stack>
      {canChange && <NewCurrency />}
      <RecordList
        label={t('tabs.currencies')}
        columns={[
          column('code', t('currencyCode'), ({ code }) => code),
          column('name', t('name'), ({ code }) => names.of(code)),
          column('decimals', t('decimals'), ({ decimals }) => decimals),
          column('active', common('activity.label'), ({ active, isBase }) =>
            isBase ? <Badge variant="light">{t('baseCurrency')}</Badge> : <ActivityBadge active={active} />,
          ),
          ...(canChange
            ? [
                column('actions', common('actions'), ({ id, code, isBase, active: isActive }) =>
                  isBase ? null : (
                    <ActivityButton
                      active={isActive}
                      name={code}
                      read={(options) => business.getCurrency(String(id), options)}
                      change={(active, options) => business.updateCurrency(String(id), { active }, options)}
                    />
                  ),
                ),
              ]
            : []),
        ]}
        getRowId={({ id }) => String(id)}
        operation="listCurrencies"
        parameters={[query]}
        read={(options) => business.listCurrencies(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        empty={<Text>{t('noCurrencies')}</Text>}
      />
    </Stack>
  );
}
