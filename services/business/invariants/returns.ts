import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payable } from '../../../models/business/purchasing/purchase-order';
import type { PayableRecord } from '../../../models/business/purchasing/purchase-order';
import { VendorReturn } from '../../../models/business/purchasing/vendor-return';
import type { VendorReturnRecord } from '../../../models/business/purchasing/vendor-return';
import { checkInPages, getNextPageStart } from './pages';
import type { CheckedPage } from './pages';

/** Number of returns whose receipts are checked in one snapshot. */
const PAGE_SIZE = 500;

async function checkPage(mongoSession: ClientSession, organisationId: string, after: number): Promise<CheckedPage> {
  const report = new InvariantReport();
  const findings = report.getFindings('vendor_returns');
  const page = await VendorReturn.find({ organisationId, id: { $gt: after } }, { id: 1, receiptId: 1 })
    .sort({ id: 1 })
    .limit(PAGE_SIZE)
    .session(mongoSession)
    .lean<Pick<VendorReturnRecord, 'id' | 'receiptId'>[]>();
  const receiptIds = { $in: [...new Set(page.map(({ receiptId }) => receiptId))] };
  const returns = await VendorReturn.find({ organisationId, receiptId: receiptIds })
    .session(mongoSession)
    .lean<VendorReturnRecord[]>();
  const receipts = await Payable.find({ organisationId, id: receiptIds }).session(mongoSession).lean<PayableRecord[]>();
  const sums = new Map<string, Decimal>();
  for (const { receiptId, lines } of returns)
    for (const { lineId, quantity } of lines) {
      const key = `receipt:${receiptId}/line:${lineId}`;
      sums.set(key, (sums.get(key) ?? ZERO).plus(fromDecimal128(quantity)));
    }
  for (const { id, lines } of receipts)
    for (const { lineId, quantity, returned } of lines) {
      const subject = `receipt:${id}/line:${lineId}`;
      const recorded = returned === undefined ? ZERO : fromDecimal128(returned);
      findings.expectEqual(subject, 'returned', sums.get(subject) ?? ZERO, recorded);
      const received = fromDecimal128(quantity);
      findings.expectTrue(recorded.lte(received), subject, 'returned', `at most ${received.toFixed()}`, recorded);
    }
  return { report, next: getNextPageStart(page, PAGE_SIZE, ({ id }) => id) };
}

/** Compares the returned quantities of receipts with the returns to their vendors. */
export const checkReturns = (organisationId: string): Promise<InvariantReport> =>
  checkInPages((mongoSession, after) => checkPage(mongoSession, organisationId, after));
