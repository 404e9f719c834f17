import { ITEM_STATE_FILTERS } from '../../../domain/business/payments/open-items';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import { buildItemStateCondition } from '../payments/accounts';
import { DEBIT_KINDS } from '../payments/payments';
import { addOverdue, buildEntryDeriver, buildRefundDeriver } from './derived-columns';
import {
  choiceFilter,
  dayColumns,
  decimalColumns,
  columnFrom,
  instantColumns,
  integerColumns,
  idFilter,
  textColumns,
} from './source';
import type { ExportSource } from './source';

const getPartyPrefix = (side: LedgerSide) => (side === 'receivable' ? 'customer' : 'vendor');
const buildPartyColumns = (side: LedgerSide) => [
  columnFrom(`${getPartyPrefix(side)}Id`, 'integer', 'partyId'),
  columnFrom(`${getPartyPrefix(side)}Name`, 'text', 'partyName'),
];
const buildPartyFilter = (side: LedgerSide) => ({ [`${getPartyPrefix(side)}Id`]: idFilter('partyId') });
const getReadPermission = (side: LedgerSide) => (side === 'receivable' ? 'receivables:read' : 'payables:read');
const SIDE_ROW_INDEX = { organisationId: 1, side: 1, _id: 1 } as const;

/** The rows of an export of open items of customers or vendors. */
export const buildOpenItemSource = (side: LedgerSide): ExportSource => ({
  permission: getReadPermission(side),
  model: OpenItem,
  key: '_id',
  base: { side, kind: { $in: [...DEBIT_KINDS[side]] } },
  index: SIDE_ROW_INDEX,
  columns: [
    ...integerColumns('id'),
    columnFrom('documentType', 'text', 'kind'),
    ...textColumns('number'),
    ...buildPartyColumns(side),
    ...dayColumns('date', 'dueDate'),
    ...textColumns('state', 'currencyCode'),
    columnFrom('amount', 'decimal', 'original'),
    ...decimalColumns('settled', 'credited', 'open'),
    columnFrom('overdue', 'boolean', null),
    ...decimalColumns('exchangeRate'),
    columnFrom('baseAmount', 'decimal', 'originalBase'),
    columnFrom('baseOpen', 'decimal', 'openBase'),
  ],
  equal: {
    state: { ...choiceFilter('state', ITEM_STATE_FILTERS, buildItemStateCondition), otherwise: 'open' },
    ...buildPartyFilter(side),
  },
  dated: { field: 'date', kind: 'day' },
  search: true,
  derive: addOverdue,
});

/** The rows of an export of payments of customers or vendors. */
export const buildPaymentSource = (side: LedgerSide): ExportSource => ({
  permission: getReadPermission(side),
  model: Payment,
  key: 'id',
  base: { side },
  index: { organisationId: 1, side: 1, id: 1 },
  columns: [
    ...integerColumns('id'),
    ...textColumns('type', 'status'),
    ...buildPartyColumns(side),
    ...dayColumns('date'),
    ...decimalColumns('amount'),
    ...textColumns('currencyCode'),
    ...decimalColumns('exchangeRate', 'amountBase'),
    ...textColumns('method', 'reference'),
    columnFrom('refundOfPaymentId', 'integer', null),
    columnFrom('refundOfCreditNoteId', 'integer', null),
    columnFrom('refundOfCreditNoteNumber', 'text', null),
    ...dayColumns('voidedOn'),
    ...textColumns('voidReason'),
    ...instantColumns('createdAt'),
  ],
  equal: buildPartyFilter(side),
  dated: { field: 'date', kind: 'day' },
  search: true,
  derive: buildRefundDeriver(side),
});

/** The rows of an export of ledger entries of customers or vendors. */
export const buildEntrySource = (side: LedgerSide): ExportSource => ({
  permission: getReadPermission(side),
  model: AccountEntry,
  key: '_id',
  base: { side },
  index: SIDE_ROW_INDEX,
  columns: [
    ...dayColumns('date'),
    ...textColumns('kind'),
    columnFrom(`${getPartyPrefix(side)}Id`, 'integer', 'partyId'),
    ...textColumns('currencyCode'),
    ...decimalColumns('amount', 'amountBase'),
    ...dayColumns('dueDate'),
    ...integerColumns('allocationId'),
    ...instantColumns('postedAt'),
    columnFrom('documentType', 'text', null),
    // The key of the open item, which the deriver replaces.
    columnFrom('documentId', 'integer', { $toString: '$itemId' }),
    columnFrom('documentNumber', 'text', null),
    columnFrom(`${getPartyPrefix(side)}Name`, 'text', null),
  ],
  equal: buildPartyFilter(side),
  dated: { field: 'date', kind: 'day' },
  search: false,
  derive: buildEntryDeriver(side),
});
