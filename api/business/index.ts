import { listRolePermissions, ROLES } from '../../domain/business/access/permissions';
import { createRateLimiter } from '../../lib/rate-limiter';
import { VERSION } from '../../lib/version';
import type { Platform } from '../../services/platform/platform';
import { renderBusinessError } from '../http/errors';
import type { DocumentInfo } from '../http/openapi';
import { createConsoleCookieJar } from '../http/browser';
import { isBrowserRequest } from '../http/credentials';
import { countCaller, createOrganisationLimit } from '../http/rate-limits';
import type { Route } from '../http/route';
import type { ApiDefinition } from '../http/router';
import { accountingRoutes } from './accounting';
import { createAccountRoutes } from './payments/accounts';
import { administrationRoutes } from './access';
import { authRoutes } from './access/auth';
import { secondFactorRoutes } from './access/second-factor';
import { ownSessionRoutes } from './access/sessions';
import { authenticateBusiness } from './caller';
import { configurationRoutes } from './settings';
import { creditNoteRoutes } from './credit-notes/credit-notes';
import { bankingRoutes } from './banking';
import { createCreditRoutes } from './payments/credits';
import { createWriteOffRoutes } from './payments/write-offs';
import { crmRoutes } from './crm';
import { taxIdVerificationRoutes } from './parties/tax-id-verifications';
import { customerRoutes, vendorRoutes } from './parties/party-routes';
import { exportRoutes } from './exports/exports';
import { defineAgingTotalsRoute } from './payments/aging-totals';
import { businessSetupRoutes } from './setup/setup';
import { lowStockRoutes } from './stock/low-stock';
import { inventoryRoutes } from './stock/inventory';
import { invoiceBatchRoute } from './invoices/invoice-batch';
import { stockLedgerRoutes } from './stock/ledger';
import { stockValuationRoutes } from './stock/valuation';
import { invoiceRoutes } from './invoices/invoices';
import { documentFileRoutes } from './documents/document-files';
import { messageRoutes } from './messages';
import { depositRoutes } from './invoices/deposits';
import { invoiceDraftRoutes } from './invoices/drafts';
import { invoicePreviewRoutes } from './invoices/invoice-preview';
import { invoiceProofRoutes } from './invoices/invoice-proofs';
import { invoiceVoidRoutes } from './invoices/invoice-voids';
import { createPaymentRoutes } from './payments/payments';
import { statementRoutes } from './payments/statements';
import { categoryRoutes } from './catalogue/product-categories';
import { productRoutes } from './catalogue/products';
import { purchaseOrderDraftRoutes } from './purchasing/order-drafts';
import { purchaseOrderRoutes } from './purchasing/orders';
import { payableVoidRoutes } from './purchasing/payable-voids';
import { payableRoutes } from './purchasing/payables';
import { salesOrderDraftRoutes } from './orders/sales-order-drafts';
import { salesOrderRoutes } from './orders/sales-orders';
import { vendorReturnRoutes } from './purchasing/vendor-returns';
import { warehouseRoutes } from './stock/warehouses';
import examples from '../examples/business.json';

/** Every route under /api. */
export const businessRoutes: readonly Route[] = [
  ...authRoutes,
  ...ownSessionRoutes,
  ...secondFactorRoutes,
  ...productRoutes,
  ...categoryRoutes,
  ...inventoryRoutes,
  ...lowStockRoutes,
  ...stockValuationRoutes,
  ...stockLedgerRoutes,
  ...customerRoutes,
  ...invoiceProofRoutes,
  ...depositRoutes,
  ...warehouseRoutes,
  ...vendorRoutes,
  ...taxIdVerificationRoutes,
  ...invoiceRoutes,
  invoiceBatchRoute,
  ...invoiceDraftRoutes,
  ...invoicePreviewRoutes,
  ...documentFileRoutes,
  ...messageRoutes,
  ...invoiceVoidRoutes,
  ...creditNoteRoutes,
  ...createPaymentRoutes('receivable'),
  ...createCreditRoutes('receivable'),
  ...createWriteOffRoutes('receivable'),
  ...createAccountRoutes('receivable'),
  ...statementRoutes,
  defineAgingTotalsRoute('receivable'),
  ...salesOrderRoutes,
  ...salesOrderDraftRoutes,
  ...purchaseOrderRoutes,
  ...purchaseOrderDraftRoutes,
  ...vendorReturnRoutes,
  ...createPaymentRoutes('payable'),
  ...createCreditRoutes('payable'),
  ...createWriteOffRoutes('payable'),
  ...createAccountRoutes('payable'),
  defineAgingTotalsRoute('payable'),
  ...payableRoutes,
  ...payableVoidRoutes,
  ...accountingRoutes,
  ...bankingRoutes,
  ...crmRoutes,
  ...exportRoutes,
  ...configurationRoutes,
  ...administrationRoutes,
  ...businessSetupRoutes,
];

/** The permissions of each role, for the documentation. */
const roleTable = ROLES.map(
  (role) =>
    `- **${role}**: ${listRolePermissions(role)
      .map((name) => `\`${name}\``)
      .join(', ')}`,
);

export const businessInfo: DocumentInfo = {
  title: 'Vouch business management API',
  version: VERSION,
  examples,
  description: [
    'Sign-in, catalogue, customers, vendors, invoices, CRM, configuration and administration.',
    'Send a token from login as `Authorization: Bearer`, or an API key as `X-API-Key: erp_…`; pages signed in with `POST /v1/auth/login` in live mode send its cookie instead. No text in a request may contain U+0000.',
    'Permissions of each role:',
    roleTable.join('\n'),
  ].join('\n\n'),
  tags: {
    Authentication: 'Sign-in, token renewal and the current user.',
    'Products and inventory': 'Products, categories, warehouses, stock levels and stock movements.',
    Customers: 'Customers and their balances.',
    Vendors: 'Vendors and their balances.',
    Invoicing: 'Drafts, invoices, credit notes and their files.',
    'Sales orders': 'Orders of customers, which reserve stock until they are invoiced.',
    Receivables: 'Open invoices, payments of customers and their allocation.',
    'Purchase orders': 'Purchase orders, goods receipts and returns.',
    Payables: 'Bills of vendors, payments to vendors and their allocation.',
    Accounting: 'Journal, chart of accounts, trial balance and VAT report.',
    Banking: 'Bank statements, and the matching of their transactions with documents.',
    CRM: 'Leads and opportunities.',
    Messages: 'E-mail with documents, reminders, delivery reports and links to the pages of invoices.',
    Exports: 'Asynchronous exports of lists and archives of documents.',
    Configuration: 'Company, currencies, exchange rates, tax rates, document series and period lock.',
    Administration: 'Users, API keys, audit log, webhooks and integrity checks.',
    Webhooks: 'Events delivered to subscribed webhooks.',
  },
};

/**
 * The business API. Rate limits apply per client address, as its contract requires, and per organisation; those of
 * exports per user or API key and per organisation. Valid browser sessions count per user instead of per address, so that
 * colleagues behind one address do not share a limit; a request whose cookie is rejected counts for its address.
 */
export function createBusinessApi(platform: Platform): ApiDefinition {
  const { config } = platform;
  const general = createRateLimiter('business', config.RATE_LIMIT_BUSINESS_PER_MINUTE);
  const browsers = createRateLimiter('business-browsers', config.RATE_LIMIT_BUSINESS_PER_MINUTE);
  const jar = createConsoleCookieJar(config);
  const countAddress = (address: string) => ({ limiter: general, counts: 'address' as const, key: address });
  const authentication = createRateLimiter('business-auth', config.RATE_LIMIT_AUTH_PER_MINUTE);
  const exporting = createRateLimiter('business-exports', config.RATE_LIMIT_EXPORTS_PER_MINUTE);
  const countOrganisation = createOrganisationLimit('business', config.RATE_LIMIT_BUSINESS_PER_MINUTE, config);
  const countExports = createOrganisationLimit('business-exports', config.RATE_LIMIT_EXPORTS_PER_MINUTE, config);
  return {
    name: 'business',
    prefix: '/api',
    routes: businessRoutes,
    renderError: renderBusinessError,
    authenticate: authenticateBusiness,
    limits: {
      before: (route, address, presented) => [
        ...(presented !== null && isBrowserRequest(presented, jar) ? [] : [countAddress(address)]),
        ...(route?.limit === 'authentication'
          ? [{ limiter: authentication, counts: 'address' as const, key: address }]
          : []),
      ],
      failed: (address, presented) => (isBrowserRequest(presented, jar) ? [countAddress(address)] : []),
      after: (route, credential) => [
        ...(credential.browser === null ? [] : [countCaller(browsers, credential)]),
        countOrganisation(credential),
        ...(route.limit === 'exports'
          ? [countCaller(exporting, credential), countExports(credential)].map((use) => ({
              ...use,
              onlyIfAccepted: true,
            }))
          : []),
      ],
    },
  };
}
