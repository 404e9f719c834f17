import { Checkbox, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { BusinessResponse } from '../../../../clients/typescript/src/calls';
import { business } from '../../../shared/api/business';
import { useSession } from '../../session';
import { ActivityBadge } from '../records/activity';
import { defineColumns } from '../records/columns';
import { EditDialog } from '../records/edit-dialog';
import { NamedRecords } from './named-records';
import type { RecordDialogProps } from './named-records';

type Category = BusinessResponse<'listProductCategories'>['data'][number];

const SORTS = ['name', 'createdAt'] as const;

function CategoryDialog({ record: category, opened, close }: RecordDialogProps<Category>) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  return (
    <EditDialog
      opened={opened}
      close={close}
      title={category?.name ?? t('newCategory')}
      operation="getProductCategory"
      id={category?.id.toString()}
      read={(id, options) => business.getProductCategory(id, options)}
      toValues={(record) => ({ name: record?.name ?? '', active: record?.active ?? true })}
      submit={async ({ name, active }, options) =>
        category === null
          ? business.createProductCategory({ name })
          : business.updateProductCategory(String(category.id), { name, active }, options)
      }
    >
      {(form) => (
        <>
          <TextInput label={t('name')} required {...form.getInputProps('name')} />
          {category !== null && (
            <Checkbox label={common('activity.true')} {...form.getInputProps('active', { type: 'checkbox' })} />
          )}
        </>
      )}
    </EditDialog>
  );
}

const column = defineColumns<Category>();

/** The categories by which products are grouped. */
export default function ProductCategories() {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation('business');
  const { business: permissions } = useSession();
  return (
    <NamedRecords<Category, (typeof SORTS)[number]>
      label={t('tabs.categories')}
      createLabel={t('newCategory')}
      canCreate={permissions.has('products:create')}
      canChange={permissions.has('products:update')}
      operation="listProductCategories"
      read={(query, options) => business.listProductCategories(query, options)}
      sorts={SORTS}
      columns={(name) => [
        name,
        column('active', common('activity.label'), ({ active }) => <ActivityBadge active={active} />),
      ]}
      dialog={(props) => <CategoryDialog {...props} />}
      empty={t('noCategories')}
    />
  );
}
