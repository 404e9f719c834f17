import { INVOICE_STATUSES } from '../../../domain/business/invoices/invoice';
import { Customer } from '../../../models/business/parties/customer';
import { Invoice } from '../../../models/business/invoices/invoice';
import { OpenItem } from '../../../models/business/payments/open-item';
import { Product } from '../../../models/business/catalogue/product';
import { TaxRate } from '../../../models/business/settings/tax-rate';
import { listSetupSteps } from '../../platform/setup/steps';
import type { SetupProof, SetupStep } from '../../platform/setup/steps';
import type { BusinessCaller } from '../access/caller';

/** The way from an empty company to an issued invoice. */
export const BUSINESS_SETUP_STEPS = [
  'company_described',
  'tax_rates_chosen',
  'customer_created',
  'product_created',
  'invoice_issued',
  'payment_registered',
] as const;

export type BusinessSetupStep = (typeof BUSINESS_SETUP_STEPS)[number];

const ISSUED_STATUSES = INVOICE_STATUSES.filter((status) => status !== 'draft');

function buildProofs({ organisationId, company }: BusinessCaller): Record<BusinessSetupStep, SetupProof> {
  const own = { organisationId };
  return {
    company_described: {
      permission: 'config:read',
      // Invoices need the seller's address.
      isDone: () => Promise.resolve((company.address.line1 ?? '') !== '' && (company.address.city ?? '') !== ''),
    },
    tax_rates_chosen: {
      permission: 'config:read',
      // A line needs a rate, its own or that of the company; a new company has none.
      isDone: async () => (await TaxRate.exists(own)) !== null,
    },
    customer_created: {
      permission: 'customers:read',
      isDone: async () => (await Customer.exists(own)) !== null,
    },
    product_created: {
      permission: 'products:read',
      isDone: async () => (await Product.exists(own)) !== null,
    },
    invoice_issued: {
      permission: 'invoices:read',
      isDone: async () => (await Invoice.exists({ ...own, status: { $in: ISSUED_STATUSES } })) !== null,
    },
    payment_registered: {
      permission: 'receivables:read',
      isDone: async () => (await OpenItem.exists({ ...own, side: 'receivable', kind: 'payment' })) !== null,
    },
  };
}

/** The steps that the caller may read. Each needs one lookup in an index. */
export const readBusinessSetup = (caller: BusinessCaller): Promise<SetupStep<BusinessSetupStep>[]> =>
  listSetupSteps(buildProofs(caller), caller.permissions);
