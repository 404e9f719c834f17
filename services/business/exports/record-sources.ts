import { LEAD_STATUSES } from '../../../domain/business/crm/leads';
import { OPPORTUNITY_STAGES } from '../../../domain/business/crm/opportunity-stages';
import { Customer, CUSTOMER_FIELDS } from '../../../models/business/parties/customer';
import type { PartyFields } from '../../../models/business/parties/party';
import { Lead } from '../../../models/business/crm/lead';
import { Opportunity } from '../../../models/business/crm/opportunity';
import { Product } from '../../../models/business/catalogue/product';
import { StockBalance, StockLedger } from '../../../models/business/stock/stock';
import { Vendor, VENDOR_FIELDS } from '../../../models/business/parties/vendor';
import { addProductFigures, addStockNames, addStockValues } from './derived-columns';
import { ACTIVE_FILTER, ADDRESS_COLUMNS, ID_INDEX, ROW_INDEX, CREATED_DATE_FIELD, TIMESTAMP_COLUMNS } from './source';
import {
  dayColumns,
  decimalColumns,
  booleanColumns,
  columnFrom,
  instantColumns,
  integerColumns,
  idFilter,
  textColumns,
  wordFilter,
} from './source';
import type { ExportSource, SourceColumn } from './source';

/** The last verification of the VAT identifier; empty without one. */
const TAX_ID_VERIFICATION_COLUMNS: SourceColumn[] = [
  columnFrom('taxIdVerificationStatus', 'text', 'taxIdVerification.status'),
  columnFrom('taxIdVerificationCheckedAt', 'instant', 'taxIdVerification.checkedAt'),
  columnFrom('taxIdVerificationConsultationNumber', 'text', 'taxIdVerification.consultationNumber'),
];

const buildPartyColumns = (fields: PartyFields): SourceColumn[] => [
  ...integerColumns('id'),
  ...textColumns('code', 'name'),
  ...Object.entries(fields).flatMap(([name, { column }]) =>
    column === 'address' ? ADDRESS_COLUMNS : columnFrom(name, column, name),
  ),
  ...TAX_ID_VERIFICATION_COLUMNS,
  ...TIMESTAMP_COLUMNS,
];

export const CUSTOMER_SOURCE: ExportSource = {
  permission: 'customers:read',
  model: Customer,
  key: 'id',
  base: {},
  index: ID_INDEX,
  columns: buildPartyColumns(CUSTOMER_FIELDS),
  equal: { active: ACTIVE_FILTER },
  dated: CREATED_DATE_FIELD,
  search: true,
};

export const VENDOR_SOURCE: ExportSource = {
  ...CUSTOMER_SOURCE,
  permission: 'vendors:read',
  model: Vendor,
  columns: buildPartyColumns(VENDOR_FIELDS),
};

export const PRODUCT_SOURCE: ExportSource = {
  ...CUSTOMER_SOURCE,
  permission: 'products:read',
  model: Product,
  columns: [
    ...integerColumns('id'),
    ...textColumns('code', 'name', 'description', 'type'),
    ...integerColumns('categoryId'),
    columnFrom('categoryName', 'text', null),
    ...textColumns('unit'),
    ...decimalColumns('price'),
    ...textColumns('currencyCode'),
    ...integerColumns('taxRateId'),
    ...booleanColumns('priceIncludesTax'),
    columnFrom('stock', 'decimal', null),
    columnFrom('averageCost', 'decimal', null),
    ...decimalColumns('reorderLevel'),
    ...textColumns('barcode'),
    ...booleanColumns('active'),
    ...TIMESTAMP_COLUMNS,
  ],
  equal: { active: ACTIVE_FILTER, categoryId: idFilter('categoryId') },
  derive: addProductFigures,
};

const STOCK_NAMES = ['productCode', 'productName', 'warehouseCode', 'warehouseName'] as const;

export const STOCK_SOURCE: ExportSource = {
  permission: 'inventory:read',
  model: StockBalance,
  key: '_id',
  base: {},
  index: ROW_INDEX,
  columns: [
    ...integerColumns('productId', 'warehouseId'),
    ...STOCK_NAMES.map((name) => columnFrom(name, 'text', null)),
    ...decimalColumns('onHand'),
    columnFrom('reserved', 'decimal', { $ifNull: ['$reserved', 0] }),
    columnFrom('available', 'decimal', { $subtract: ['$onHand', { $ifNull: ['$reserved', 0] }] }),
    columnFrom('averageCost', 'decimal', null),
    columnFrom('value', 'decimal', null),
  ],
  equal: { productId: idFilter('productId'), warehouseId: idFilter('warehouseId') },
  // A balance has no date.
  dated: { field: '', kind: 'instant' },
  search: false,
  derive: addStockValues,
};

export const STOCK_LEDGER_SOURCE: ExportSource = {
  ...STOCK_SOURCE,
  model: StockLedger,
  columns: [
    ...instantColumns('postedAt'),
    ...textColumns('kind'),
    ...integerColumns('productId', 'warehouseId'),
    ...STOCK_NAMES.map((name) => columnFrom(name, 'text', null)),
    ...decimalColumns('quantity', 'value', 'quantityAfter', 'valueAfter'),
    ...integerColumns('sequence', 'invoiceId', 'sourceId', 'lineId'),
  ],
  equal: { productId: idFilter('productId'), warehouseId: idFilter('warehouseId'), invoiceId: idFilter('invoiceId') },
  dated: { field: 'postedAt', kind: 'posting' },
  derive: addStockNames,
};

export const LEAD_SOURCE: ExportSource = {
  ...CUSTOMER_SOURCE,
  permission: 'crm:read',
  model: Lead,
  columns: [
    ...integerColumns('id'),
    ...textColumns('name', 'companyName', 'email', 'phone', 'source', 'notes'),
    ...integerColumns('ownerId'),
    ...textColumns('status', 'lostReason'),
    ...integerColumns('customerId', 'opportunityId'),
    ...TIMESTAMP_COLUMNS,
  ],
  equal: { status: wordFilter('status', LEAD_STATUSES), ownerId: idFilter('ownerId') },
};

export const OPPORTUNITY_SOURCE: ExportSource = {
  ...LEAD_SOURCE,
  model: Opportunity,
  columns: [
    ...integerColumns('id'),
    ...textColumns('name'),
    ...integerColumns('customerId', 'leadId'),
    ...textColumns('stage'),
    ...decimalColumns('amount'),
    ...textColumns('currencyCode'),
    ...dayColumns('expectedCloseDate'),
    ...integerColumns('ownerId'),
    ...textColumns('notes', 'lostReason'),
    ...instantColumns('closedAt', 'createdAt', 'updatedAt'),
  ],
  equal: {
    stage: wordFilter('stage', OPPORTUNITY_STAGES),
    customerId: idFilter('customerId'),
    ownerId: idFilter('ownerId'),
  },
};
