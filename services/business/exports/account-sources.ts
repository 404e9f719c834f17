import { ITEM_STATES } from '../../../domain/business/payments/open-items';
import type { Side } from '../../../domain/business/payments/open-items';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import { Payment } from '../../../models/business/payments/payment';
import { DEBIT_KINDS } from '../payments/payments';
import { addOverdue } from './derived-columns';
import { day, decimal, from, instant, integer, number, text } from './source';
import type { ExportSource } from './source';

const party = (side: Side) => (side === 'receivable' ? 'customer' : 'vendor');
const partyColumns = (side: Side) => [
  from(`${party(side)}Id`, 'integer', 'partyId'),
  from(`${party(side)}Name`, 'text', 'partyName'),
];
const byParty = (side: Side) => ({ [`${party(side)}Id`]: number('partyId') });
const accounts = (side: Side) => (side === 'receivable' ? 'receivables:read' : 'payables:read');
const BY_SIDE_ROW = { organisationId: 1, side: 1, _id: 1 } as const;

export const openItems = (side: Side): ExportSource => ({
  permission: accounts(side),
  model: OpenItem,
  key: '_id',
  base: { side, kind: { $in: [...DEBIT_KINDS[side]] } },
  index: BY_SIDE_ROW,
  columns: [
    ...integer('id'),
    from('documentType', 'text', 'kind'),
    ...text('number'),
    ...partyColumns(side),
    ...day('date', 'dueDate'),
    ...text('state', 'currencyCode'),
    from('amount', 'decimal', 'original'),
    ...decimal('settled', 'credited', 'open'),
    from('overdue', 'boolean', null),
    ...decimal('exchangeRate'),
    from('baseAmount', 'decimal', 'originalBase'),
    from('baseOpen', 'decimal', 'openBase'),
  ],
  equal: { state: { field: 'state', accepts: [...ITEM_STATES, 'all'], otherwise: 'open' }, ...byParty(side) },
  dated: { field: 'date', kind: 'day' },
  search: true,
  derive: addOverdue,
});

export const payments = (side: Side): ExportSource => ({
  permission: accounts(side),
  model: Payment,
  key: 'id',
  base: { side },
  index: { organisationId: 1, side: 1, id: 1 },
  columns: [
    ...integer('id'),
    ...text('type', 'status'),
    ...partyColumns(side),
    ...day('date'),
    ...decimal('amount'),
    ...text('currencyCode'),
    ...decimal('exchangeRate', 'amountBase'),
    ...text('method', 'reference'),
    ...day('voidedOn'),
    ...text('voidReason'),
    ...instant('createdAt'),
  ],
  equal: byParty(side),
  dated: { field: 'date', kind: 'day' },
  search: true,
});

export const entries = (side: Side): ExportSource => ({
  permission: accounts(side),
  model: AccountEntry,
  key: '_id',
  base: { side },
  index: BY_SIDE_ROW,
  columns: [
    ...day('date'),
    ...text('kind'),
    from(`${party(side)}Id`, 'integer', 'partyId'),
    ...text('currencyCode'),
    ...decimal('amount', 'amountBase'),
    ...day('dueDate'),
    ...integer('allocationId'),
    ...instant('postedAt'),
  ],
  equal: byParty(side),
  dated: { field: 'date', kind: 'day' },
  search: false,
});
