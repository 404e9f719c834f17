import { getReplyCode } from './faulty-client';
import type { ReplyData } from './faulty-client';
import type { Lane } from './lane';
import { isLocked } from './sales';

/** Voids a bill, whose receipts wait for another one then, or expects the error that prevents it. */
export async function voidBill(lane: Lane): Promise<boolean> {
  const { ledger, chance, client } = lane;
  const bill = chance.pick(ledger.items.filter((item) => item.kind === 'bill' && !lane.voidBills.has(item)));
  if (bill === undefined) return false;
  const path = `/api/payables/${bill.id}/void`;
  const json = { reason: 'Entered by mistake' };
  const reply = await client.postUnlessDone(path, json, 'already_void');
  const isSettled = bill.open !== bill.original || [...lane.creditedBills.values()].includes(bill);
  if (isSettled || isLocked(lane, bill.date)) {
    // The lock is checked first.
    const code = isLocked(lane, bill.date) ? 'period_locked' : 'payable_not_voidable';
    if (getReplyCode(reply) !== code) throw new Error(`not ${code}: ${lane.describeReply(path, json, reply)}`);
    lane.rejections += 1;
    return true;
  }
  if (reply.status !== 200) throw new Error(lane.describeReply(path, json, reply));
  const { voidedOn } = (await client.get(`/api/payables/${bill.id}`)).body['data'] as ReplyData;
  lane.voidBills.add(bill);
  ledger.settle(bill, bill.open, String(voidedOn));
  for (const receipt of lane.receipts.filter(({ billed }) => billed?.item === bill)) {
    const replaced = receipt.billed?.replaced.find((each) => each.receipt === receipt);
    ledger.restore(receipt.item, replaced?.amount ?? 0n, replaced?.base ?? 0n, String(voidedOn));
    Object.assign(receipt, { billed: null, unbilledOn: String(voidedOn) });
  }
  lane.countDocument('void bill');
  return true;
}
