import { buildCurrencyOptions } from '../../../shared/currency-decimals';
import type { Invoice } from '../invoices/invoice-values';
import type { PlaceholderValues } from './fill-template';

/** Values of an invoice in the language of the document. The link is made when the message is sent. */
export function readInvoiceValues(
  invoice: Pick<
    Invoice,
    'language' | 'currencyCode' | 'customerName' | 'number' | 'issueDate' | 'dueDate' | 'grandTotal' | 'open'
  >,
  companyName: string,
  link: string,
): PlaceholderValues {
  const { language, currencyCode } = invoice;
  const money = new Intl.NumberFormat(language, buildCurrencyOptions(currencyCode));
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return {
    companyName,
    customerName: invoice.customerName,
    documentNumber: invoice.number ?? '',
    issueDate: day.format(new Date(invoice.issueDate)),
    dueDate: day.format(new Date(invoice.dueDate)),
    total: money.format(invoice.grandTotal),
    openAmount: money.format(invoice.open),
    periodFrom: '',
    periodTo: '',
    link,
    daysOverdue: '',
    level: '',
    fee: '',
    interestText: '',
  };
}
