import { Badge, Checkbox, Group, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { useSession } from '../../session';
import { ActivityBadge } from '../records/activity';
import { defineColumns } from '../records/columns';
import { EditDialog } from '../records/edit-dialog';
import { NamedRecords } from './named-records';
import type { RecordDialogProps } from './named-records';

type Warehouse = BusinessResponse<'listWarehouses'>['data'][number];

const SORTS = ['code', 'name', 'createdAt'] as const;

function WarehouseDialog({ record: warehouse, opened, close }: RecordDialogProps<Warehouse>) {
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
  return (
    <NamedRecords<Warehouse, (typeof SORTS)[number]>
      label={t('tabs.warehouses')}
      createLabel={t('newWarehouse')}
      canCreate={canChange}
      canChange={canChange}
      operation="listWarehouses"
      read={(query, options) => business.listWarehouses(query, options)}
      sorts={SORTS}
      columns={(name) => [
        column('code', t('code'), ({ code }) => code),
        name,
        column('active', common('activity.label'), ({ active, isDefault }) => (
          <Group gap="xs">
            <ActivityBadge active={active} />
            {isDefault && <Badge variant="light">{t('default')}</Badge>}
          </Group>
        )),
      ]}
      dialog={(props) => <WarehouseDialog {...props} />}
      empty={t('noWarehouses')}
    />
  );
}
