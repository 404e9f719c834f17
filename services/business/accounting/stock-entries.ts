import type { PipelineStage, Types } from 'mongoose';
import type { JournalDocumentType, JournalEntry } from '../../../domain/business/accounting/journal';
import { postStock } from '../../../domain/business/accounting/postings';
import { toBusinessDay } from '../../../domain/business/settings/business-days';
import { readOptions } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { StockLedger } from '../../../models/business/stock/stock';
import type { StockMovementKind } from '../../../models/business/stock/stock';
import { readMovementSources } from '../stock/movement-sources';
import type { MovementSource } from '../stock/movement-sources';
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
export const buildStockGroupStages = (context: JournalContext, days: Days): PipelineStage[] => [
  { $match: { organisationId: context.organisationId, postedAt: duringDays(days, context), value: { $ne: 0 } } },
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
const toDocumentType = (type: MovementSource['type']): JournalDocumentType => (type === 'receipt' ? 'payable' : type);

/** Entries of the movements of stock: cost of goods sold, returns, receipts, adjustments and opening stock. */
export async function readStockEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { organisationId, mongoSession, chartOn, baseCurrencyCode } = context;
  const groups = await StockLedger.aggregate<MovementGroup>(buildStockGroupStages(context, days))
    .option(readOptions(mongoSession))
    .option({ allowDiskUse: true });
  const movements = groups.map(({ _id }) => _id);
  const findSource = await readMovementSources(organisationId, movements, mongoSession);
  return groups.map(({ _id: movement, value }) => {
    const { kind, at } = movement;
    const { type, id, number } = findSource(movement);
    const date = toBusinessDay(context, at);
    return postStock(chartOn(date), {
      kind,
      key: `${kind}:${id}:${at.getTime()}`,
      date,
      order: at.getTime(),
      // Adjustments, transfers and products have no number of their own.
      document: { type: toDocumentType(type), id, number: number ?? `${type.toUpperCase()}-${id}` },
      value: fromDecimal128(value),
      baseCurrencyCode,
    });
  });
}
