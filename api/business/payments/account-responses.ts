import { z } from 'zod';
import { ITEM_STATES } from '../../../domain/business/payments/open-items';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { PAYMENT_METHODS } from '../../../domain/business/payments/payments';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { AllocationRecord } from '../../../models/business/payments/payment';
import type { AgingReport, Balance } from '../../../services/business/payments/aging';
import { PARTY_FIELD } from '../../../services/business/parties/parties';
import type { PaymentDetail } from '../../../services/business/payments/payments';
import type { AllocationWithItems, PaymentWithCredit } from '../../../services/business/payments/item-references';
import { day, instant } from '../fields';

/** Response fields that identify the party: customer or vendor. */
export const PARTY_NAME_FIELD = { receivable: 'customerName', payable: 'vendorName' } as const;

const buildPartyFields = (side: LedgerSide) => ({
  [PARTY_FIELD[side]]: z.number().int(),
  [PARTY_NAME_FIELD[side]]: z.string(),
});
const presentParty = (side: LedgerSide, partyId: number, partyName: string) => ({
  [PARTY_FIELD[side]]: partyId,
  [PARTY_NAME_FIELD[side]]: partyName,
});

/**
 * Schema of an open item, which names its party as `customerId` or `vendorId` and describes its amounts for that side.
 */
export const buildOpenItemSchema = (side: LedgerSide) =>
  z.object({
    id: z
      .number()
      .int()
      .meta({ description: side === 'receivable' ? 'Id of the invoice.' : 'Id of the payable.' }),
    documentType: z.string().meta({
      description: side === 'receivable' ? '`invoice`.' : '`bill`, or `receipt` for goods that are not billed yet.',
    }),
    number: z.string(),
    ...buildPartyFields(side),
    date: day,
    dueDate: day,
    state: z.enum(ITEM_STATES),
    currencyCode: z.string(),
    amount: z.number(),
    settled: z.number().meta({
      description:
        side === 'receivable'
          ? 'Amount settled by payments, discounts for early payment and write-offs, and by credit notes of other invoices.'
          : 'Amount settled by payments and write-offs.',
    }),
    credited: z.number().meta({
      description:
        side === 'receivable' ? 'Amount taken back by credit notes of the invoice.' : 'Amount settled by credit notes.',
    }),
    open: z.number(),
    overdue: z.boolean(),
    base: z.object({ currencyCode: z.string(), amount: z.number(), open: z.number() }),
  });

/** @param today `YYYY-MM-DD` in the company's time zone */
export const presentOpenItem = (item: OpenItemRecord, today: string, baseCurrencyCode: string) => ({
  id: item.id,
  documentType: item.kind,
  number: item.number,
  ...presentParty(item.side, item.partyId, item.partyName),
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

export const allocationSchema = z.object({
  id: z.number().int(),
  paymentId: z.number().int().nullable(),
  creditNoteId: z.number().int().nullable(),
  documentId: z.number().int(),
  date: day,
  amount: z.number().meta({ description: 'Amount in the currency of the credit.' }),
  settled: z.number().meta({ description: 'Amount in the currency of the document.' }),
  settledBase: z
    .number()
    .meta({ description: 'Settled amount in base currency, at the exchange rate of the document.' }),
  discount: z
    .number()
    .meta({ description: 'Discount for early payment that closes the document, in its currency; 0 if there is none.' }),
  realised: z.number().meta({ description: 'Realised exchange difference in base currency; a gain is positive.' }),
  reversedOn: day.nullable(),
});

/** Response body of an allocation: `paymentId` or `creditNoteId` is set, by the kind of credit that was applied. */
export const presentAllocation = (allocation: AllocationRecord) => ({
  id: allocation.id,
  paymentId: allocation.creditKind === 'payment' ? allocation.creditId : null,
  creditNoteId: allocation.creditKind === 'credit_note' ? allocation.creditId : null,
  documentId: allocation.debitId,
  date: allocation.date,
  amount: allocation.amount,
  settled: allocation.settled,
  settledBase: allocation.settledBase,
  discount: allocation.discount ?? 0,
  realised: allocation.realised,
  reversedOn: allocation.reversedOn,
});

/** Schema of an allocation in lists, with the numbers of what it joins. */
export const listedAllocationSchema = allocationSchema.extend({
  documentNumber: z.string(),
  creditNoteNumber: z.string().nullable().meta({ description: 'Null for the credit of a payment.' }),
});

/** An allocation in lists. */
export const presentListedAllocation = ({ allocation, document, credit }: AllocationWithItems) => ({
  ...presentAllocation(allocation),
  documentNumber: document.number,
  creditNoteNumber: credit.kind === 'credit_note' ? credit.number : null,
});

const buildPaymentSummaryFields = (side: LedgerSide) => ({
  id: z.number().int(),
  type: z.enum(['payment', 'refund']),
  status: z.enum(['posted', 'void']),
  ...buildPartyFields(side),
  date: day,
  amount: z.number(),
  currencyCode: z.string(),
  exchangeRate: z.number().meta({ description: 'Units of base currency per unit of currency.' }),
  amountBase: z.number(),
  method: z.enum(PAYMENT_METHODS),
  reference: z.string().nullable(),
  refundOf: z
    .object({
      paymentId: z.number().int().nullable(),
      creditNoteId: z.number().int().nullable(),
      creditNoteNumber: z.string().nullable(),
    })
    .nullable()
    .meta({ description: 'Payment or credit note of which a refund pays out credit; null for a payment.' }),
  voidedOn: day.nullable(),
  voidReason: z.string().nullable(),
  createdAt: instant,
});

/** Schema of a payment or refund in lists, without its allocations. */
export const buildPaymentSummarySchema = (side: LedgerSide) => z.object(buildPaymentSummaryFields(side));

/** Schema of a payment or refund with its allocations and what is left of it. */
export const buildPaymentSchema = (side: LedgerSide) =>
  z.object({
    ...buildPaymentSummaryFields(side),
    allocations: z.array(allocationSchema),
    unapplied: z.number().meta({ description: 'Remaining credit in the currency of the payment.' }),
    realised: z
      .number()
      .meta({ description: 'Realised exchange differences of all allocations, or of the refund, in base currency.' }),
  });

/** A payment or refund in lists: the amount in its currency and in the base currency, without its allocations. */
export const presentPaymentSummary = ({ payment, refundOf }: PaymentWithCredit) => ({
  id: payment.id,
  type: payment.type,
  status: payment.status,
  ...presentParty(payment.side, payment.partyId, payment.partyName),
  date: payment.date,
  amount: payment.amount,
  currencyCode: payment.currencyCode,
  exchangeRate: payment.exchangeRate,
  amountBase: payment.amountBase,
  method: payment.method,
  reference: payment.reference,
  refundOf: refundOf && {
    paymentId: refundOf.kind === 'payment' ? refundOf.id : null,
    creditNoteId: refundOf.kind === 'credit_note' ? refundOf.id : null,
    creditNoteNumber: refundOf.kind === 'credit_note' ? refundOf.number : null,
  },
  voidedOn: payment.voidedOn,
  voidReason: payment.voidReason,
  createdAt: payment.createdAt,
});

/**
 * Response body of a payment or refund. `realised` sums its own exchange difference and those of its allocations, in
 * the base currency; allocations that were reversed are not among them.
 */
export const presentPayment = ({ payment, refundOf, allocations, unapplied }: PaymentDetail) => ({
  ...presentPaymentSummary({ payment, refundOf }),
  allocations: allocations.map(presentAllocation),
  unapplied,
  realised: allocations.reduce(
    (total, allocation) => total.plus(fromDecimal128(allocation.realised)),
    fromDecimal128(payment.realised),
  ),
});

/** Result of a dry run: a payment without ids. */
export const buildPaymentDryRunSchema = (side: LedgerSide) =>
  buildPaymentSchema(side).extend({
    id: z.null(),
    allocations: z.array(allocationSchema.extend({ id: z.null(), paymentId: z.null() })),
  });

/** What a payment would do; it and its allocations have no ids. */
export const presentPaymentDryRun = (detail: PaymentDetail) => ({
  ...presentPayment(detail),
  id: null,
  allocations: detail.allocations.map((allocation) => ({
    ...presentAllocation(allocation),
    id: null,
    paymentId: null,
  })),
});

export const agingAmountsSchema = z.object({
  current: z.number(),
  days1to30: z.number(),
  days31to60: z.number(),
  days61to90: z.number(),
  over90: z.number(),
  unappliedCredit: z.number(),
  net: z.number(),
});

export const exampleAgingAmounts = {
  current: 1190,
  days1to30: 238,
  days31to60: 0,
  days61to90: 0,
  over90: 59.5,
  unappliedCredit: 100,
  net: 1387.5,
} as const;

/** Schema of an aging report: one row per party and currency, in that currency and in the base currency. */
export const buildAgingSchema = (side: LedgerSide) =>
  z.object({
    asOf: day,
    baseCurrencyCode: z.string(),
    rows: z.array(
      z.object({
        ...buildPartyFields(side),
        currencyCode: z.string(),
        amounts: agingAmountsSchema,
        base: agingAmountsSchema,
      }),
    ),
    total: agingAmountsSchema.meta({ description: 'Totals in base currency, at the exchange rates of posting.' }),
  });

/** Response body of an aging report; the total is in the base currency, at the exchange rates of posting. */
export const presentAging = (side: LedgerSide, { asOf, rows, total }: AgingReport, baseCurrencyCode: string) => ({
  asOf,
  baseCurrencyCode,
  rows: rows.map(({ partyId, partyName, currencyCode, amounts, base }) => ({
    ...presentParty(side, partyId, partyName),
    currencyCode,
    amounts,
    base,
  })),
  total,
});

export const balanceSchema = z.object({
  asOf: day,
  baseCurrencyCode: z.string(),
  balance: z.number().meta({ description: 'Open amount less credit, in base currency.' }),
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

/** Response body of a balance by currency and in the base currency, whose code the ledger does not state. */
export const presentBalance = (balance: Balance, baseCurrencyCode: string) => ({ ...balance, baseCurrencyCode });
