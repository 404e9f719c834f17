import { Anchor, Badge, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { usePageSearch } from '../../components/use-page-search';
import { useSession } from '../../session';
import { ActivityBadge } from '../records/activity';
import { defineColumns } from '../records/columns';
import { EditDialog } from '../records/edit-dialog';
import { oneOf, RecordList } from '../records/record-list';
import { settingsSearch } from './settings-search';

type Warehouse = BusinessResponse<'listWarehouses'>['data'][number];

const SORTS = ['code', 'name', 'createdAt'] as const;

interface WarehouseDialogProps {
  /** Null for a new one. */
  warehouse: Warehouse | null;
  opened: boolean;
  close: () => void;
}

function WarehouseDialog({ warehouse, opened, close }: WarehouseDialogProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  return (
    <EditDialog
      opened={opened}
      close={close}
      title={warehouse?.name ?? t('newWarehouse')}
      operation="getWarehouse"
      id={warehouse?.id.toString()}
      read={(id, options) => business.getWarehouse(id, options)}
      toValues={(record) => ({ name: record?.name ?? '', code: record?.code ?? '', active: record?.active ?? true })}
      submit={async ({ name, code, active }, options) =>
        warehouse === null
          ? business.createWarehouse({ name, ...(code === '' ? {} : { code }) })
          : business.updateWarehouse(String(warehouse.id), { name, code, active }, options)
      }
    >
      {(form) => (
        <>
          <TextInput label={t('name')} required {...form.getInputProps('name')} />
          <TextInput
            label={t('code')}
            description={warehouse === null ? t('warehouseCodeHint') : undefined}
            required={warehouse !== null}
            {...form.getInputProps('code')}
          />
          {warehouse !== null && (
            <Checkbox label={common('activity.true')} {...form.getInputProps('active', { type: 'checkbox' })} />
          )}
        </>
      )}
    </EditDialog>
  );
}

const column = defineColumns<Warehouse>();

/** The places that have stock. */
export default function Warehouses() {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  const canChange = permissions.has('config:update');
  const [position, change] = usePageSearch(settingsSearch);
  const [opened, { open, close }] = useDisclosure();
  const [chosen, setChosen] = useState<Warehouse | null>(null);
  const edit = (next: Warehouse | null): void => {
    setChosen(next);
    open();
  };
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, active: 'all' as const };
  return (
    <Stack>
      {canChange && (
        <Group>
          <Button onClick={() => edit(null)}>{t('newWarehouse')}</Button>
        </Group>
      )}
      <WarehouseDialog warehouse={chosen} opened={opened} close={close} />
      <RecordList
        label={t('tabs.warehouses')}
        columns={[
          column('code', t('code'), ({ code }) => code),
          column('name', t('name'), (warehouse) =>
            canChange ? (
              <Anchor component="button" size="sm" onClick={() => edit(warehouse)}>
                {warehouse.name}
              </Anchor>
            ) : (
              warehouse.name
            ),
          ),
          column('active', common('activity.label'), ({ active, isDefault }) => (
            <Group gap="xs">
              <ActivityBadge active={active} />
              {isDefault && <Badge variant="light">{t('default')}</Badge>}
            </Group>
          )),
        ]}
        getRowId={({ id }) => String(id)}
        operation="listWarehouses"
        parameters={[query]}
        read={(options) => business.listWarehouses(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        empty={<Text>{t('noWarehouses')}</Text>}
      />
    </Stack>
  );
}
