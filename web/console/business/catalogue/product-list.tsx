import { Anchor, Badge, Select, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { business } from '../../../shared/api/business';
import { pageSearch, textFilter } from '../../components/list-search';
import { Page } from '../../components/page';
import { usePageSearch } from '../../components/use-page-search';
import { ExportButton } from '../exports/export-button';
import { defineColumns, defineNumberColumns } from '../records/columns';
import { CreateButton } from '../records/create-button';
import { ACTIVITY } from '../records/lookups';
import { formatDecimal, Money, RED } from '../records/money';
import { oneOf, RecordList } from '../records/record-list';
import type { Product } from '../records/record-select';

const SORTS = ['name', 'code', 'createdAt'] as const;

const listSearch = pageSearch.extend({ active: textFilter });

const column = defineColumns<Product>();
const numberColumn = defineNumberColumns<Product>();

const isLow = ({ type, stock, reorderLevel }: Product): boolean =>
  type === 'goods' && reorderLevel !== null && stock <= reorderLevel;

function useColumns() {
  const { t } = useTranslation('catalogue');
  const { t: common } = useTranslation('business');
  return [
    column('name', t('name'), ({ id, name }) => (
      <Anchor component={Link} to={`/products/${id}`} size="sm">
        {name}
      </Anchor>
    )),
    column('code', t('code'), ({ code }) => code),
    column('type', t('type'), ({ type }) => t(`types.${type}`)),
    column('categoryName', t('category'), ({ categoryName }) => categoryName ?? '–'),
    numberColumn('price', t('price'), ({ price, currencyCode }) => (
      <Money amount={price} currency={currencyCode} isUnit />
    )),
    numberColumn('stock', t('stock'), (product) =>
      product.type === 'service' ? (
        '–'
      ) : (
        <Text size="sm" c={isLow(product) ? RED : undefined}>
          {formatDecimal(product.stock)} {isLow(product) && `(${t('low')})`}
        </Text>
      ),
    ),
    column('active', common('activity.label'), ({ active }) => (
      <Badge variant="light" color={active ? 'green' : 'gray'}>
        {common(active ? 'activity.true' : 'activity.false')}
      </Badge>
    )),
  ];
}

/** The products of the company; those at their reorder level are marked. */
export default function ProductListPage() {
  const { t } = useTranslation('catalogue');
  const { t: common } = useTranslation('business');
  const [position, change] = usePageSearch(listSearch);
  const { page, search, sortDir } = position;
  const active = oneOf(ACTIVITY, position.active);
  const query = { page, search, sortBy: oneOf(SORTS, position.sortBy), sortDir, active };
  const createButton = <CreateButton permission="products:create" to="/products/new" label={t('new')} />;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ExportButton resource="products" filters={{ search, active }} />
          {createButton}
        </>
      }
    >
      <RecordList
        label={t('title')}
        columns={useColumns()}
        getRowId={({ id }) => String(id)}
        operation="listProducts"
        parameters={[query]}
        read={(options) => business.listProducts(query, options)}
        position={position}
        change={change}
        sortable={SORTS}
        isFiltered={active !== undefined}
        resetFilters={() => change({ active: undefined, search: undefined, page: 1 })}
        filters={
          <Select
            label={common('activity.label')}
            data={ACTIVITY.map((value) => ({ value, label: common(`activity.${value}`) }))}
            value={active ?? 'true'}
            allowDeselect={false}
            onChange={(value) => change({ active: value === 'true' ? undefined : (value ?? undefined), page: 1 })}
          />
        }
        empty={
          <>
            <Text maw={480}>{t('empty')}</Text>
            {createButton}
          </>
        }
      />
    </Page>
  );
}
