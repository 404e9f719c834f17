import { invalidOrderTransitionError } from '../../../domain/business/orders/order-transitions';
import { Types } from 'mongoose';
import { getLogContext } from '../../../lib/context';
import { Invoice } from '../../../models/business/invoices/invoice';
import type { SalesOrderRecord } from '../../../models/business/orders/sales-order';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller, BusinessRequest } from '../access/caller';
import { rejectUnissuableInvoice } from '../documents/completeness';
import { compactCountsPeriodically } from '../documents/document-counts';
import { postIdempotently } from '../documents/idempotent-postings';
import { INVOICE_LIST } from '../invoices/invoice-lists';
import { prepareInvoice } from '../invoices/invoice-preparation';
import type { InvoiceInput } from '../invoices/invoice-preparation';
import { writeInvoices } from '../invoices/invoice-writing';
import { getRecord, replaceRecord } from '../records/records';
import { releaseStock } from '../stock/stock-reservations';
import { getSalesOrder, listReservedLines, SALES_ORDER_KIND, toLineInputs } from './sales-orders';

/** What the invoice of an order does not take from it. */
export type OrderInvoicing = Omit<InvoiceInput, 'customerId' | 'currencyCode' | 'lines' | 'deposit'>;

const buildInvoiceInput = (order: SalesOrderRecord, invoicing: OrderInvoicing): InvoiceInput => ({
  ...invoicing,
  customerId: order.customerId,
  currencyCode: order.currencyCode,
  reference: invoicing.reference ?? order.reference ?? order.number,
  notes: invoicing.notes ?? order.notes ?? undefined,
  lines: toLineInputs(order),
});

/** Releases the reservation, issues the invoice with its movements of stock, and closes the order, in one transaction. */
async function writeOrderInvoice(
  unit: UnitOfWork,
  caller: BusinessCaller,
  { id, _id }: { id: number; _id: Types.ObjectId },
  invoicing: OrderInvoicing,
): Promise<{ order: SalesOrderRecord; sequence: number }> {
  const { platform } = unit;
  const order = await getRecord(caller, SALES_ORDER_KIND, id, unit);
  if (order.status !== 'confirmed') throw invalidOrderTransitionError(order, 'invoiced', ['confirmed']);
  const now = platform.clock.now();
  const input = buildInvoiceInput(order, invoicing);
  const prepared = await prepareInvoice(platform, caller, input, now, { followsOrder: true });
  rejectUnissuableInvoice(caller.company, prepared, now);
  await releaseStock(unit, caller.organisationId, listReservedLines(order));
  const { requestId } = getLogContext();
  const [invoice] = await writeInvoices(unit, [
    { caller, input, prepared, _id, claim: () => Promise.resolve(), requestId },
  ]);
  if (invoice === undefined) throw new Error('an order was invoiced without its invoice');
  const { id: invoiceId, number: invoiceNumber, sequence } = invoice;
  const changed = { ...order, status: 'invoiced', invoiceId, invoiceNumber, updatedAt: now } as const;
  const entry = { fields: ['status', 'invoiceId'], action: 'sales_order.invoiced' };
  return { order: await replaceRecord(unit, caller, SALES_ORDER_KIND, changed, entry), sequence };
}

/**
 * Issues the invoice of a confirmed order, at the prices of the order, also of products that became inactive since.
 * @throws AppError as `createInvoice`; 404; 409 `invalid_transition`
 */
export async function invoiceSalesOrder(
  request: BusinessRequest,
  id: number,
  invoicing: OrderInvoicing,
): Promise<SalesOrderRecord> {
  const { platform, caller } = request;
  const { organisationId } = caller;
  return postIdempotently(
    request,
    async (post) => {
      // Chosen before the transaction: after a commit of unknown outcome, this invoice shows that it was made.
      const _id = new Types.ObjectId();
      try {
        const { order, sequence } = await post(async (unit) => {
          const result = await writeOrderInvoice(unit, caller, { id, _id }, invoicing);
          return { id, status: 200, result };
        });
        compactCountsPeriodically(platform, organisationId, INVOICE_LIST, sequence);
        return order;
      } catch (error) {
        if ((await Invoice.exists({ _id, organisationId })) === null) throw error;
        return getSalesOrder(caller, id);
      }
    },
    () => getSalesOrder(caller, id),
  );
}
