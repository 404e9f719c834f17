import type { IssuedDocument } from '../../../domain/business/invoices/invoice';
import { Invoice } from '../../../models/business/invoices/invoice';
import { Customer } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';

/** The address to which a document is sent: that of its customer, else the one on it; null without either. */
export async function findRecipient(organisationId: string, { buyer }: IssuedDocument): Promise<string | null> {
  const customer = await Customer.findOne({ organisationId, id: buyer.customerId }, { email: 1 }).lean<
    Pick<CustomerRecord, 'email'>
  >();
  return customer?.email ?? buyer.email;
}

/** The address of each invoice by {@link findRecipient}, with one query for all customers and one for the other invoices. */
export async function findInvoiceRecipients(
  organisationId: string,
  invoices: readonly { invoiceId: number; customerId: number }[],
): Promise<ReadonlyMap<number, string | null>> {
  const customers = await Customer.find(
    { organisationId, id: { $in: invoices.map(({ customerId }) => customerId) }, email: { $ne: null } },
    { id: 1, email: 1 },
  ).lean<Pick<CustomerRecord, 'id' | 'email'>[]>();
  const byCustomer = new Map(customers.map(({ id, email }) => [id, email]));
  const others = invoices.filter(({ customerId }) => !byCustomer.has(customerId));
  const addressed = await Invoice.find(
    { organisationId, id: { $in: others.map(({ invoiceId }) => invoiceId) }, 'document.buyer.email': { $ne: null } },
    { id: 1, 'document.buyer.email': 1 },
  ).lean<{ id: number; document: { buyer: { email: string } } }[]>();
  const byInvoice = new Map(addressed.map(({ id, document }) => [id, document.buyer.email]));
  return new Map(
    invoices.map(({ invoiceId, customerId }) => [
      invoiceId,
      byCustomer.get(customerId) ?? byInvoice.get(invoiceId) ?? null,
    ]),
  );
}
