import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { StockLedger } from '../../../models/business/stock/stock';
import type { StockLedgerRecord } from '../../../models/business/stock/stock';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** The value that the lines of a return issued, positive, by line; read in the transaction that posted it. */
export async function readIssuedValues(
  unit: UnitOfWork,
  organisationId: string,
  document: { kind: 'vendor_return'; sourceId: number },
): Promise<Map<number, Decimal>> {
  const rows = await StockLedger.find({ organisationId, ...document })
    .session(unit.mongoSession)
    .lean<StockLedgerRecord[]>();
  const values = new Map<number, Decimal>();
  for (const { lineId, value } of rows)
    values.set(lineId ?? 0, (values.get(lineId ?? 0) ?? ZERO).minus(fromDecimal128(value)));
  return values;
}
