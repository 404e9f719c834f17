import { z } from 'zod';
import { AGING_BUCKETS } from '../../../domain/business/payments/aging';
import type { AgingAmounts } from '../../../domain/business/payments/aging';
import { ITEM_STATES } from '../../../domain/business/payments/open-items';
import type { Side } from '../../../domain/business/payments/open-items';
import { PAYMENT_METHODS } from '../../../domain/business/payments/payments';
import { fromStored } from '../../../models/business/decimal128';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { AllocationRecord, PaymentRecord } from '../../../models/business/payments/payment';
import type { AgingReport, Balance } from '../../../services/business/payments/aging';
import { PARTY_FIELD } from '../../../services/business/parties/parties';
import type { PaymentDetail } from '../../../services/business/payments/payments';
import { day, instant } from '../fields';

/** How the answers of one side name the party. */
export const PARTY_NAME = { receivable: 'customerName', payable: 'vendorName' } as const;

const party = (side: Side) => ({ [PARTY_FIELD[side]]: z.number().int(), [PARTY_NAME[side]]: z.string() });
const partyOf = (side: Side, partyId: number, partyName: string) => ({
  [PARTY_FIELD[side]]: partyId,
  [PARTY_NAME[side]]: partyName,
});

export const itemShape = (side: Side) =>
  z.object({
    id: z
      .number()
      .int()
      .meta({ description: side === 'receivable' ? 'The invoice’s id.' : 'The payable’s id.' }),
    documentType: z
      .string()
      .meta({ description: side === 'receivable' ? '`invoice`' : '`bill`, or `receipt` for goods not billed yet' }),
    number: z.string(),
    ...party(side),
    date: day,
    dueDate: day,
    state: z.enum(ITEM_STATES),
    currencyCode: z.string(),
    amount: z.number(),
    settled: z.number().meta({ description: 'By payments.' }),
    credited: z.number().meta({ description: 'By credit notes.' }),
    open: z.number(),
    overdue: z.boolean(),
    base: z.object({ currencyCode: z.string(), amount: z.number(), open: z.number() }),
  });

/** @param today `YYYY-MM-DD` in the company's zone */
export const itemView = (item: OpenItemRecord, today: string, baseCurrencyCode: string) => ({
  id: item.id,
  documentType: item.kind,
  number: item.number,
  ...partyOf(item.side, item.partyId, item.partyName),
  date: item.date,
  dueDate: item.dueDate,
  state: item.state,
  currencyCode: item.currencyCode,
  amount: item.original,
  settled: item.settled,
  credited: item.credited,
  open: item.open,
  overdue: item.state === 'open' && item.dueDate < today,
  base: { currencyCode: baseCurrencyCode, amount: item.originalBase, open: item.openBase },
});

export const allocationShape = z.object({
  id: z.number().int(),
  paymentId: z.number().int().nullable(),
  creditNoteId: z.number().int().nullable(),
  documentId: z.number().int(),
  date: day,
  amount: z.number().meta({ description: 'In the credit’s currency.' }),
  settled: z.number().meta({ description: 'In the document’s currency.' }),
  settledBase: z.number().meta({ description: 'Relieved at the document’s frozen rate.' }),
  realised: z.number().meta({ description: 'Exchange difference in base currency; a gain is positive.' }),
  reversedOn: day.nullable(),
});

export const allocationView = (allocation: AllocationRecord) => ({
  id: allocation.id,
  paymentId: allocation.creditKind === 'payment' ? allocation.creditId : null,
  creditNoteId: allocation.creditKind === 'credit_note' ? allocation.creditId : null,
  documentId: allocation.debitId,
  date: allocation.date,
  amount: allocation.amount,
  settled: allocation.settled,
  settledBase: allocation.settledBase,
  realised: allocation.realised,
  reversedOn: allocation.reversedOn,
});

const paymentHead = (side: Side) => ({
  id: z.number().int(),
  type: z.enum(['payment', 'refund']),
  status: z.enum(['posted', 'void']),
  ...party(side),
  date: day,
  amount: z.number(),
  currencyCode: z.string(),
  exchangeRate: z.number().meta({ description: 'Units of base currency per unit of currency.' }),
  amountBase: z.number(),
  method: z.enum(PAYMENT_METHODS),
  reference: z.string().nullable(),
  voidedOn: day.nullable(),
  voidReason: z.string().nullable(),
  createdAt: instant,
});

export const paymentItemShape = (side: Side) => z.object(paymentHead(side));

export const paymentShape = (side: Side) =>
  z.object({
    ...paymentHead(side),
    allocations: z.array(allocationShape),
    unapplied: z.number().meta({ description: 'Credit that is left, in the payment’s currency.' }),
    realised: z.number().meta({ description: 'Exchange differences of all allocations, or of the refund.' }),
  });

export const paymentView = (payment: PaymentRecord) => ({
  id: payment.id,
  type: payment.type,
  status: payment.status,
  ...partyOf(payment.side, payment.partyId, payment.partyName),
  date: payment.date,
  amount: payment.amount,
  currencyCode: payment.currencyCode,
  exchangeRate: payment.exchangeRate,
  amountBase: payment.amountBase,
  method: payment.method,
  reference: payment.reference,
  voidedOn: payment.voidedOn,
  voidReason: payment.voidReason,
  createdAt: payment.createdAt,
});

export const paymentDetail = ({ payment, allocations, unapplied }: PaymentDetail) => ({
  ...paymentView(payment),
  allocations: allocations.map(allocationView),
  unapplied,
  realised: allocations.reduce(
    (total, allocation) => total.plus(fromStored(allocation.realised)),
    fromStored(payment.realised),
  ),
});

/** What a dry run computes: all but ids. */
export const paymentTrialShape = (side: Side) =>
  paymentShape(side).extend({
    id: z.null(),
    allocations: z.array(allocationShape.extend({ id: z.null(), paymentId: z.null() })),
  });

export const paymentTrial = (detail: PaymentDetail) => ({
  ...paymentDetail(detail),
  id: null,
  allocations: detail.allocations.map((allocation) => ({ ...allocationView(allocation), id: null, paymentId: null })),
});

const buckets = z.object({
  ...Object.fromEntries(AGING_BUCKETS.map((bucket) => [bucket, z.number()])),
  unappliedCredit: z.number(),
  net: z.number(),
});

const bucketsView = (amounts: AgingAmounts): object => ({ ...amounts });

export const agingShape = (side: Side) =>
  z.object({
    asOf: day,
    baseCurrencyCode: z.string(),
    rows: z.array(z.object({ ...party(side), currencyCode: z.string(), amounts: buckets, base: buckets })),
    total: buckets.meta({ description: 'Base currency, at the rates frozen when each was posted.' }),
  });

export const agingView = (side: Side, { asOf, rows, total }: AgingReport, baseCurrencyCode: string) => ({
  asOf,
  baseCurrencyCode,
  rows: rows.map(({ partyId, partyName, currencyCode, amounts, base }) => ({
    ...partyOf(side, partyId, partyName),
    currencyCode,
    amounts: bucketsView(amounts),
    base: bucketsView(base),
  })),
  total: bucketsView(total),
});

export const balanceShape = z.object({
  asOf: day,
  baseCurrencyCode: z.string(),
  balance: z.number().meta({ description: 'Owed less credit, in base currency.' }),
  overdue: z.number(),
  credit: z.number(),
  currencies: z.array(
    z.object({
      currencyCode: z.string(),
      balance: z.number(),
      overdue: z.number(),
      credit: z.number(),
      balanceBase: z.number(),
    }),
  ),
});

export const balanceView = (balance: Balance, baseCurrencyCode: string) => ({ ...balance, baseCurrencyCode });
