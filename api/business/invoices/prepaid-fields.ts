import { z } from 'zod';
import { Decimal } from '../../../domain/business/decimal';
import type { PrepaidSnapshot } from '../../../domain/business/invoices/prepaid';
import { day } from '../fields';

/** What was paid before an invoice. */
export const prepaidSchema = z.object({
  amount: z.number().meta({ description: 'Sum of deposits and payments (BT-113).' }),
  due: z.number().meta({ description: 'Amount due at issue (BT-115).' }),
  deposits: z.array(
    z.object({
      invoiceId: z.number().int(),
      number: z.string(),
      issueDate: day,
      net: z.number(),
      tax: z.number(),
      total: z.number(),
    }),
  ),
  payments: z.array(z.object({ paymentId: z.number().int(), date: day, amount: z.number() })),
});

/** What was paid before the invoice, in its currency; null if nothing was deducted. */
export const presentPrepaid = (prepaid: PrepaidSnapshot | undefined) =>
  prepaid === undefined
    ? null
    : {
        amount: new Decimal(prepaid.amount),
        due: new Decimal(prepaid.due),
        deposits: prepaid.deposits.map(({ invoiceId, number, issueDate, net, tax, total }) => ({
          invoiceId,
          number,
          issueDate,
          net: new Decimal(net),
          tax: new Decimal(tax),
          total: new Decimal(total),
        })),
        payments: prepaid.payments.map(({ paymentId, date, amount }) => ({
          paymentId,
          date,
          amount: new Decimal(amount),
        })),
      };
