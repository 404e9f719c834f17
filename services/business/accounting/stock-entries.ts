import type { PipelineStage, Types } from 'mongoose';
import { toCalendarDate } from '../../../domain/business/calendar';
import type { JournalDocumentType, JournalEntry } from '../../../domain/business/accounting/journal';
import { postStock } from '../../../domain/business/accounting/postings';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { StockLedger } from '../../../models/business/stock/stock';
import type { StockMovementKind } from '../../../models/business/stock/stock';
import { MOVEMENT_SOURCES } from '../stock/movement-sources';
import { duringDays } from './journal-context';
import type { Days, JournalContext } from './journal-context';

/** The movements of one document at one time. */
interface MovementGroup {
  _id: {
    kind: StockMovementKind;
    invoiceId: number | null;
    sourceId: number | null;
    productId: number | null;
    at: Date;
  };
  value: Types.Decimal128;
}

/** Groups movements by document and drops those that change no value, such as transfers. */
export const buildStockGroupStages = ({ organisationId, timeZone }: JournalContext, days: Days): PipelineStage[] => [
  { $match: { organisationId, postedAt: duringDays(days, timeZone), value: { $ne: 0 } } },
  {
    $group: {
      _id: {
        kind: '$kind',
        invoiceId: '$invoiceId',
        sourceId: '$sourceId',
        // Opening stock has no document but the product.
        productId: { $cond: [{ $eq: ['$kind', 'opening'] }, '$productId', null] },
        at: '$postedAt',
      },
      value: { $sum: '$value' },
    },
  },
];

/** Receipts are among the payables. */
function findDocumentType(kind: StockMovementKind): JournalDocumentType {
  const type = MOVEMENT_SOURCES[kind];
  return type === 'receipt' ? 'payable' : type;
}

const NUMBER_PREFIXES: Readonly<Record<StockMovementKind, string>> = {
  opening: 'PRODUCT',
  invoice: 'INVOICE',
  void: 'INVOICE',
  restock: 'INVOICE',
  adjustment: 'ADJUSTMENT',
  transfer: 'TRANSFER',
  receipt: 'RECEIPT',
  vendor_return: 'RETURN',
};

/** Entries of the movements of stock: cost of goods sold, returns, receipts, adjustments and opening stock. */
export async function readStockEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession, timeZone, chartOn, baseCurrencyCode } = context;
  const groups = await StockLedger.aggregate<MovementGroup>(buildStockGroupStages(context, days))
    .session(mongoSession)
    .option({ allowDiskUse: true });
  return groups.map(({ _id: { kind, invoiceId, sourceId, productId, at }, value }) => {
    const date = toCalendarDate(at, timeZone);
    const id = invoiceId ?? sourceId ?? productId ?? 0;
    return postStock(chartOn(date), {
      kind,
      key: `${kind}:${id}:${at.getTime()}`,
      date,
      order: at.getTime(),
      document: { type: findDocumentType(kind), id, number: `${NUMBER_PREFIXES[kind]}-${id}` },
      value: fromDecimal128(value),
      baseCurrencyCode,
    });
  });
}
