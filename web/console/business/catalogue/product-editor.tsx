import { Button, Checkbox, Fieldset, Group, Select, Skeleton, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import type { Versioned } from '../../../shared/api/versions';
import { DecimalInput } from '../../components/decimal-input';
import { ConflictNotice } from '../../components/conflict-notice';
import { Failure } from '../../components/failure';
import { FieldGrid } from '../../components/field-grid';
import { Page } from '../../components/page';
import { useEditedRecord } from '../../components/use-edited-record';
import { useRecordForm } from '../../components/use-record-form';
import { useSession } from '../../session';
import { useCategories, useCurrencies, useTaxRates } from '../records/lookups';
import type { Product } from '../records/record-select';
import { readProductValues, toNewProduct, toProductChanges } from './product-values';
import type { ProductValues } from './product-values';

const NUMBER = { allowNegative: false, decimalScale: 6 } as const;

type ProductForm = UseFormReturnType<ProductValues>;

function BasicFields({ form, isNew }: { form: ProductForm; isNew: boolean }) {
  const { t } = useTranslation('catalogue');
  const categories = useCategories();
  return (
    <>
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={t('name')} required {...form.getInputProps('name')} />
        <TextInput label={t('code')} description={t('codeHint')} {...form.getInputProps('code')} />
        <Select
          label={t('type')}
          description={t('typeHint')}
          allowDeselect={false}
          disabled={!isNew}
          data={(['goods', 'service'] as const).map((value) => ({ value, label: t(`types.${value}`) }))}
          {...form.getInputProps('type')}
        />
        <Select
          label={t('category')}
          clearable
          searchable
          placeholder={t('noCategory')}
          data={categories}
          {...form.getInputProps('categoryId')}
        />
      </FieldGrid>
      <Textarea label={t('description')} autosize minRows={2} {...form.getInputProps('description')} />
    </>
  );
}

/** What a new product gets by default when it is left empty cannot be cleared any more afterwards. */
function PriceFields({ form, isNew }: { form: ProductForm; isNew: boolean }) {
  const { t } = useTranslation('catalogue');
  const taxRates = useTaxRates();
  const currencies = useCurrencies();
  return (
    <Fieldset legend={t('pricing')}>
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        <DecimalInput label={t('price')} required={!isNew} {...NUMBER} {...form.getInputProps('price')} />
        <Select
          label={t('currency')}
          clearable={isNew}
          allowDeselect={isNew}
          required={!isNew}
          data={currencies}
          {...form.getInputProps('currencyCode')}
        />
        <Select
          label={t('taxRate')}
          description={t('taxRateHint')}
          clearable
          data={taxRates}
          {...form.getInputProps('taxRateId')}
        />
        <TextInput label={t('unit')} description={t('unitHint')} required={!isNew} {...form.getInputProps('unit')} />
      </FieldGrid>
      <Checkbox
        mt="sm"
        label={t('priceIncludesTax')}
        {...form.getInputProps('priceIncludesTax', { type: 'checkbox' })}
      />
    </Fieldset>
  );
}

function StockFields({ form, isNew }: { form: ProductForm; isNew: boolean }) {
  const { t } = useTranslation('catalogue');
  return (
    <Fieldset legend={t('stock')}>
      <FieldGrid cols={{ base: 1, sm: 2 }}>
        {isNew && (
          <>
            <DecimalInput label={t('openingStock')} {...NUMBER} {...form.getInputProps('initialStock.quantity')} />
            <DecimalInput label={t('unitCost')} {...NUMBER} {...form.getInputProps('initialStock.unitCost')} />
          </>
        )}
        <DecimalInput
          label={t('reorderLevel')}
          description={t('reorderLevelHint')}
          {...NUMBER}
          {...form.getInputProps('reorderLevel')}
        />
        <TextInput label={t('barcode')} {...form.getInputProps('barcode')} />
      </FieldGrid>
    </Fieldset>
  );
}

/** @param edited the product to change; null for a new one */
function Editor({ edited, isReadOnly }: { edited: Versioned<Product> | null; isReadOnly: boolean }) {
  const { t } = useTranslation('catalogue');
  const { t: common } = useTranslation('business');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const product = edited?.record ?? null;
  const id = String(product?.id ?? '');
  const { form, onSubmit, isPending, failure, conflict } = useRecordForm<Product, ProductValues, unknown>({
    edited,
    read: (options) => business.getProduct(id, options),
    toValues: readProductValues,
    submit: (values, options) =>
      product === null
        ? business.createProduct(toNewProduct(values))
        : business.updateProduct(id, toProductChanges(values), options),
    onDone: async () => {
      await queries.invalidateQueries({ queryKey: ['business'] });
      notifications.show({ color: 'green', message: common('saved') });
      await navigate({ to: '/products' });
    },
  });
  return (
    <form onSubmit={onSubmit}>
      <Fieldset variant="unstyled" disabled={isReadOnly}>
        <Stack maw={760}>
          <BasicFields form={form} isNew={product === null} />
          <PriceFields form={form} isNew={product === null} />
          {form.values.type === 'goods' && <StockFields form={form} isNew={product === null} />}
          {product !== null && (
            <Checkbox label={t('isActive')} {...form.getInputProps('active', { type: 'checkbox' })} />
          )}
          <ConflictNotice conflict={conflict} />
          <Failure error={failure} />
          <Group>
            {!isReadOnly && (
              <Button type="submit" loading={isPending}>
                {common('save')}
              </Button>
            )}
            <Button variant="default" component={Link} to="/products">
              {common(isReadOnly ? 'back' : 'cancel')}
            </Button>
          </Group>
        </Stack>
      </Fieldset>
    </form>
  );
}

/** A new product, or one that can be changed by users with the permission. */
export default function ProductEditorPage() {
  const { t } = useTranslation('catalogue');
  const { productId } = useParams({ strict: false }) as { productId?: string };
  const { business: permissions } = useSession();
  const { data, error } = useEditedRecord('getProduct', productId, (id, options) => business.getProduct(id, options));
  if (productId === undefined)
    return (
      <Page title={t('new')}>
        <Editor edited={null} isReadOnly={false} />
      </Page>
    );
  return (
    <Page title={data?.record.name ?? t('one')}>
      <Failure error={error} />
      {data === undefined ? (
        error === null && <Skeleton h={320} />
      ) : (
        <Editor edited={data} isReadOnly={!permissions.has('products:update')} />
      )}
    </Page>
  );
}
