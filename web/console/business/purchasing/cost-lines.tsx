import { ActionIcon, Grid, Group, Select, TextInput } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { LineList } from '../records/line-list';
import { useTaxRates, useWarehouses } from '../records/lookups';
import { PRODUCTS, RecordSelect } from '../records/record-select';
import { DecimalInput } from '../../components/decimal-input';

export interface CostLine {
  key: string;
  /** Null for a line in free text, which only bills have. */
  productId: string | null;
  description: string;
  quantity: number | string;
  unitCost: number | string;
  /** Null for the default of the product. */
  taxRateId: string | null;
  /** Only of orders; null for the default of the company. */
  warehouseId: string | null;
}

/** A new line of one unit, whose cost the user enters. */
export const createCostLine = (): CostLine => ({
  key: crypto.randomUUID(),
  productId: null,
  description: '',
  quantity: 1,
  unitCost: '',
  taxRateId: null,
  warehouseId: null,
});

/** The line after the choice of another product: text, cost and tax of the one before are not its own. */
export const changeCostProduct = (line: CostLine, productId: string | null): CostLine =>
  line.productId === null
    ? { ...line, productId }
    : { ...line, productId, description: '', unitCost: '', taxRateId: null };

interface StoredLine {
  lineId: number;
  productId: number | null;
  description: string;
  quantity: number;
  unitCost: number;
  taxRateId: number;
  warehouseId?: number | null;
}

const readId = (id: number | null | undefined): string | null => (id == null ? null : String(id));

/** The values of stored lines of a document; lines of several documents can be one list. */
export const readCostLines = (documentId: number, lines: readonly StoredLine[]): CostLine[] =>
  lines.map((line) => ({
    key: `${documentId} ${line.lineId}`,
    productId: readId(line.productId),
    description: line.description,
    quantity: line.quantity,
    unitCost: line.unitCost,
    taxRateId: String(line.taxRateId),
    warehouseId: readId(line.warehouseId),
  }));

/** A line as the API expects it; the warehouse, which only orders have, is left out. */
export const toCostLine = ({ productId, description, quantity, unitCost, taxRateId }: CostLine) => ({
  ...(productId === null ? {} : { productId: Number(productId) }),
  ...(description === '' ? {} : { description }),
  quantity: Number(quantity),
  unitCost: Number(unitCost),
  ...(taxRateId === null ? {} : { taxRateId: Number(taxRateId) }),
});

interface CostLinesProps {
  lines: readonly CostLine[];
  /** Connects a field of the form, such as `lines.0.quantity`. */
  getInputProps: (path: string) => object;
  add: () => void;
  remove: (index: number) => void;
  change: (index: number, line: CostLine) => void;
  /** Whether a line may have a description instead of a product, as in bills. Lines of orders have a warehouse. */
  allowText?: boolean;
}

const NUMBER = { allowNegative: false, decimalScale: 6, required: true } as const;

interface LineProps extends Omit<CostLinesProps, 'lines' | 'add'> {
  line: CostLine;
  index: number;
  isOnly: boolean;
}

/** Text and warehouse of a line, and the button that removes it. */
function LineFooter({ line, index, isOnly, getInputProps, remove, allowText }: LineProps) {
  const { t } = useTranslation('purchasing');
  const warehouses = useWarehouses();
  const field = (name: string) => getInputProps(`lines.${index}.${name}`);
  return (
    <>
      <Grid.Col span={{ base: 12, md: allowText === true ? 12 : 8 }}>
        <Group wrap="nowrap" align="end" gap="xs">
          <TextInput
            flex={1}
            label={t('description')}
            required={allowText === true && line.productId === null}
            {...field('description')}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('removeLine', { position: index + 1 })}
            disabled={isOnly}
            onClick={() => remove(index)}
          >
            <IconTrash size={18} aria-hidden />
          </ActionIcon>
        </Group>
      </Grid.Col>
      {allowText !== true && (
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Select
            label={t('warehouse')}
            clearable
            placeholder={t('warehouseDefault')}
            data={warehouses}
            {...field('warehouseId')}
          />
        </Grid.Col>
      )}
    </>
  );
}

function Line({ line, index, isOnly, getInputProps, remove, change, allowText = false }: LineProps) {
  const { t } = useTranslation('purchasing');
  const taxRates = useTaxRates();
  const field = (name: string) => getInputProps(`lines.${index}.${name}`);
  return (
    <>
      <Grid.Col span={{ base: 12, md: 5 }}>
        <RecordSelect
          source={PRODUCTS}
          label={t('product')}
          required={!allowText}
          clearable={allowText}
          {...field('productId')}
          value={line.productId}
          onChange={(productId) => change(index, changeCostProduct(line, productId))}
        />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <DecimalInput label={t('quantity')} {...NUMBER} {...field('quantity')} />
      </Grid.Col>
      <Grid.Col span={{ base: 6, md: 2 }}>
        <DecimalInput label={t('unitCost')} {...NUMBER} {...field('unitCost')} />
      </Grid.Col>
      <Grid.Col span={{ base: 12, md: 3 }}>
        <Select
          label={t('taxRate')}
          clearable
          placeholder={t('taxOfProduct')}
          data={taxRates}
          {...field('taxRateId')}
        />
      </Grid.Col>
      <LineFooter {...{ line, index, isOnly, getInputProps, remove, change, allowText }} />
    </>
  );
}

/** Products with quantities and costs. */
export function CostLines({ lines, add, ...line }: CostLinesProps) {
  const { t } = useTranslation('purchasing');
  return (
    <LineList lines={lines} nameOf={(position) => t('line', { position })} add={add} addLabel={t('addLine')}>
      {(value, index) => <Line line={value} index={index} isOnly={lines.length === 1} {...line} />}
    </LineList>
  );
}
