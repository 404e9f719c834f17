import type { ClientSession } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round, sum } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { computeBillDifferences } from '../../../domain/business/purchasing/bill-matching';
import type { MatchedLine } from '../../../domain/business/purchasing/bill-matching';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { Company } from '../../../models/business/settings/company';
import { convertRows } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';

const listLines = ({ lines }: PayableRecord): MatchedLine[] =>
  lines.map(({ productId, quantity, net }) => ({
    productId,
    quantity: fromDecimal128(quantity),
    net: fromDecimal128(net),
  }));

/** The differences of a bill as they are computed when one is recorded. */
async function computeDifferences(bill: PayableRecord, session: ClientSession) {
  const { organisationId, receiptIds } = bill;
  const company = await Company.findById(organisationId, { baseCurrencyCode: 1 })
    .session(session)
    .orFail()
    .lean<{ baseCurrencyCode: string }>();
  const decimals = getCurrencyDecimals(company.baseCurrencyCode);
  const receipts = await Payable.find({ organisationId, type: 'receipt', id: { $in: receiptIds } })
    .session(session)
    .lean<PayableRecord[]>();
  const toBase = ({ total, exchangeRate }: PayableRecord): Decimal =>
    round(fromDecimal128(total).times(fromDecimal128(exchangeRate)), decimals);
  return computeBillDifferences(
    { lines: listLines(bill), base: toBase(bill), exchangeRate: fromDecimal128(bill.exchangeRate) },
    { lines: receipts.flatMap(listLines), base: sum(receipts.map(toBase)) },
    decimals,
  );
}

/** `priceDifference` of a bill was its whole difference from its receipts, including tax. */
export const billDifferences: Migration = {
  version: 4,
  name: 'bill-differences',
  summary: 'divides the difference between bills and their receipts into price, quantity and exchange rate',
  run: (context) =>
    convertRows(context, {
      collection: 'payables',
      filter: { type: 'bill', 'receiptIds.0': { $exists: true }, quantityDifference: { $exists: false } },
      async convert(rows, session) {
        const bills = await Payable.find({ _id: { $in: rows.map(({ _id }) => _id) } })
          .session(session)
          .lean<PayableRecord[]>();
        for (const bill of bills) {
          const { price, quantity, exchange } = await computeDifferences(bill, session);
          const $set = {
            priceDifference: toDecimal128(price),
            quantityDifference: toDecimal128(quantity),
            exchangeDifference: toDecimal128(exchange),
          };
          await Payable.updateOne({ _id: bill._id }, { $set }, { session });
        }
        return bills.length;
      },
    }),
};
