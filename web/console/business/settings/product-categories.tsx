import { Anchor, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
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

type Category = BusinessResponse<'listProductCategories'>['data'][number];

const SORTS = ['name', 'createdAt'] as const;

interface CategoryDialogProps {
  /** Null for a new one. */
  category: Category | null;
  opened: boolean;
  close: () => void;
}

function CategoryDialog({ category, opened, close }: CategoryDialogProps) {
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
  const [position, change] = usePageSearch(settingsSearch);
  const [opened, { open, close }] = useDisclosure();
  const [chosen, setChosen] = useState<Category | null>(null);
  const edit = (next: Category | null): void => {
    setChosen(next);
    open();
  };
  const { page, search, sortDir } = position;
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, active: 'all' as const };
  return (
    <Stack>
      {permissions.has('products:create') && (
        <Group>
          <Button onClick={() => edit(null)}>{t('newCategory')}</Button>
        </Group>
      )}
      <CategoryDialog category={chosen} opened={opened} close={close} />
      <RecordList
        label={t('tabs.categories')}
        columns={[
          column('name', t('name'), (category) =>
            permissions.has('products:update') ? (
              <Anchor component="button" size="sm" onClick={() => edit(category)}>
                {category.name}
              </Anchor>
            ) : (
              category.name
            ),
          ),
          column('active', common('activity.label'), ({ active }) => <ActivityBadge active={active} />),
        ]}
        getRowId={({ id }) => String(id)}
        operation="listProductCategories"
        parameters={[query]}
        read={(options) => business.listProductCategories(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        empty={<Text maw={480}>{t('noCategories')}</Text>}
      />
    </Stack>
  );
}
