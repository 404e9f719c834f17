import { Types } from 'mongoose';
import { Decimal } from '../../../domain/business/decimal';
import type { DocumentLanguage, PostalAddress } from '../../../domain/business/invoices/invoice';
import { EMPTY_ADDRESS } from '../../../models/business/parties/address';
import { CUSTOMER_FIELDS } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import { getInitialValues } from '../../../models/business/parties/party';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import type { Platform } from '../../platform/platform';
import type { BusinessCaller } from '../access/caller';
import { buildInvoiceContent } from '../invoices/invoice-content';
import { prepareInvoice } from '../invoices/invoice-preparation';
import type { InvoiceInput } from '../invoices/invoice-preparation';
import { previewCompany } from '../settings/company-settings';
import type { CompanyInput } from '../settings/company-settings';
import { printPreview } from './invoice-previews';

interface SampleTexts {
  customer: string;
  street: string;
  city: string;
  goods: string;
  service: string;
}

/** What the sample document says, by the language of the company. */
const TEXTS: Readonly<Record<DocumentLanguage, SampleTexts>> = {
  en: { customer: 'Sample Customer', street: '1 Sample Street', city: 'Sampletown', goods: 'Goods', service: 'Work' },
  de: {
    customer: 'Musterkunde',
    street: 'Musterstraße 1',
    city: 'Musterstadt',
    goods: 'Ware',
    service: 'Arbeitszeit',
  },
  fr: {
    customer: 'Client exemple',
    street: '1 rue de l’Exemple',
    city: 'Exempleville',
    goods: 'Marchandise',
    service: 'Travail',
  },
  es: {
    customer: 'Cliente de ejemplo',
    street: 'Calle de Ejemplo 1',
    city: 'Ciudad Ejemplo',
    goods: 'Mercancía',
    service: 'Trabajo',
  },
};

/** Unit codes of UN/ECE Recommendation 20. */
const [PIECE, HOUR] = ['C62', 'HUR'];

/** A customer in the country of the company, so that its taxes are those of most of its invoices. */
function buildCustomer({ organisationId, company }: BusinessCaller, now: Date): CustomerRecord {
  const { customer: name, street: line1, city } = TEXTS[company.language];
  const address: PostalAddress = { ...EMPTY_ADDRESS, line1, city, country: company.address.country };
  return {
    ...getInitialValues(CUSTOMER_FIELDS),
    _id: new Types.ObjectId(),
    organisationId,
    id: 0,
    code: 'C00001',
    name,
    address,
    tokens: [],
    version: 0,
    createdAt: now,
    updatedAt: now,
  };
}

/** The tax rate of the lines; without a default of the company, its first active one. */
async function chooseTaxRate({ organisationId, company }: BusinessCaller): Promise<number | undefined> {
  if (company.defaultTaxRateId !== null) return undefined;
  const rate = await TaxRate.findOne({ organisationId, active: true }, { id: 1 })
    .sort({ id: 1 })
    .lean<Pick<TaxRateRecord, 'id'>>();
  return rate?.id;
}

function buildInput({ company }: BusinessCaller, taxRateId: number | undefined): InvoiceInput {
  const { goods, service } = TEXTS[company.language];
  return {
    customerId: 0,
    lines: [
      { description: goods, unit: PIECE, quantity: new Decimal(3), unitPrice: new Decimal(100), taxRateId },
      { description: service, unit: HOUR, quantity: new Decimal(2), unitPrice: new Decimal(80), taxRateId },
    ],
  };
}

/**
 * Prints a sample invoice as it would look with changed settings of the company, and waits for the file. Nothing but the
 * preview is stored.
 * @throws AppError 400 naming every wrong field; 503 `pdf_not_ready` or `rendering_failed`
 */
export async function printSampleInvoice(
  platform: Platform,
  caller: BusinessCaller,
  changes: CompanyInput,
  waitMs: number,
): Promise<Buffer> {
  const now = platform.clock.now();
  const draft = { ...caller, company: previewCompany(caller.company, changes, now) };
  const input = buildInput(draft, await chooseTaxRate(draft));
  const prepared = await prepareInvoice(platform, draft, input, now, { sample: buildCustomer(draft, now) });
  const { document } = buildInvoiceContent(draft, prepared, null, now);
  return printPreview(platform, draft, document, waitMs);
}
