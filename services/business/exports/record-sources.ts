import { LEAD_STATUSES } from '../../../domain/business/crm/leads';
import { OPPORTUNITY_STAGES } from '../../../domain/business/crm/opportunity-stages';
import { Customer } from '../../../models/business/parties/customer';
import { Lead } from '../../../models/business/crm/lead';
import { Opportunity } from '../../../models/business/crm/opportunity';
import { Product } from '../../../models/business/catalogue/product';
import { StockBalance, StockLedger } from '../../../models/business/stock/stock';
import { Vendor } from '../../../models/business/parties/vendor';
import { addProductFigures, addStockNames } from './derived-columns';
import { ACTIVE, ADDRESS, BY_ID, BY_ROW, CREATED, STAMPS } from './source';
import { day, decimal, flag, from, instant, integer, number, text, word } from './source';
import type { ExportSource } from './source';

const PARTY_COLUMNS = [...integer('id'), ...text('code', 'name', 'taxId', 'email', 'phone'), ...ADDRESS];

export const CUSTOMERS: ExportSource = {
  permission: 'customers:read',
  model: Customer,
  key: 'id',
  base: {},
  index: BY_ID,
  columns: [
    ...PARTY_COLUMNS,
    ...text('currencyCode', 'paymentTerms', 'language'),
    ...decimal('creditLimit'),
    ...text('notes'),
    ...flag('active'),
    ...STAMPS,
  ],
  equal: { active: ACTIVE },
  dated: CREATED,
  search: true,
};

export const VENDORS: ExportSource = {
  ...CUSTOMERS,
  permission: 'vendors:read',
  model: Vendor,
  columns: [
    ...PARTY_COLUMNS,
    ...text('currencyCode', 'paymentTerms', 'bankName', 'iban', 'bic', 'notes'),
    ...flag('active'),
    ...STAMPS,
  ],
};

export const PRODUCTS: ExportSource = {
  ...CUSTOMERS,
  permission: 'products:read',
  model: Product,
  columns: [
    ...integer('id'),
    ...text('code', 'name', 'description', 'type'),
    ...integer('categoryId'),
    from('categoryName', 'text', null),
    ...text('unit'),
    ...decimal('price'),
    ...text('currencyCode'),
    ...integer('taxRateId'),
    ...flag('priceIncludesTax'),
    from('stock', 'decimal', null),
    from('averageCost', 'decimal', null),
    ...decimal('reorderLevel'),
    ...text('barcode'),
    ...flag('active'),
    ...STAMPS,
  ],
  equal: { active: ACTIVE, categoryId: number('categoryId') },
  derive: addProductFigures,
};

const STOCK_NAMES = ['productCode', 'productName', 'warehouseCode', 'warehouseName'] as const;

export const STOCK: ExportSource = {
  permission: 'inventory:read',
  model: StockBalance,
  key: '_id',
  base: {},
  index: BY_ROW,
  columns: [
    ...integer('productId', 'warehouseId'),
    ...STOCK_NAMES.map((name) => from(name, 'text', null)),
    ...decimal('onHand'),
    from('averageCost', 'decimal', null),
  ],
  equal: { productId: number('productId'), warehouseId: number('warehouseId') },
  // A balance has no date of its own.
  dated: { field: '', kind: 'instant' },
  search: false,
  derive: addStockNames,
};

export const STOCK_LEDGER: ExportSource = {
  ...STOCK,
  model: StockLedger,
  columns: [
    ...instant('postedAt'),
    ...text('kind'),
    ...integer('productId', 'warehouseId'),
    ...STOCK_NAMES.map((name) => from(name, 'text', null)),
    ...decimal('quantity', 'value', 'quantityAfter', 'valueAfter'),
    ...integer('sequence', 'invoiceId', 'sourceId', 'lineId'),
  ],
  equal: { productId: number('productId'), warehouseId: number('warehouseId'), invoiceId: number('invoiceId') },
  dated: { field: 'postedAt', kind: 'instant' },
};

export const LEADS: ExportSource = {
  ...CUSTOMERS,
  permission: 'crm:read',
  model: Lead,
  columns: [
    ...integer('id'),
    ...text('name', 'companyName', 'email', 'phone', 'source', 'notes'),
    ...integer('ownerId'),
    ...text('status', 'lostReason'),
    ...integer('customerId', 'opportunityId'),
    ...STAMPS,
  ],
  equal: { status: word('status', LEAD_STATUSES), ownerId: number('ownerId') },
};

export const OPPORTUNITIES: ExportSource = {
  ...LEADS,
  model: Opportunity,
  columns: [
    ...integer('id'),
    ...text('name'),
    ...integer('customerId', 'leadId'),
    ...text('stage'),
    ...decimal('amount'),
    ...text('currencyCode'),
    ...day('expectedCloseDate'),
    ...integer('ownerId'),
    ...text('notes', 'lostReason'),
    ...instant('closedAt', 'createdAt', 'updatedAt'),
  ],
  equal: {
    stage: word('stage', OPPORTUNITY_STAGES),
    customerId: number('customerId'),
    ownerId: number('ownerId'),
  },
};
