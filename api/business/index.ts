import { permissionsOf, ROLES } from '../../domain/business/permissions';
import { createRateLimiter } from '../../lib/rate-limiter';
import type { Platform } from '../../services/platform/platform';
import { renderBusinessError } from '../errors';
import type { DocumentInfo } from '../openapi';
import type { Route } from '../route';
import type { ApiDefinition } from '../router';
import { accountRoutes } from './accounts';
import { administrationRoutes } from './administration';
import { authRoutes } from './auth';
import { authenticateBusiness } from './caller';
import { configurationRoutes } from './configuration';
import { creditNoteRoutes } from './credit-notes';
import { creditRoutes } from './credits';
import { crmRoutes } from './crm';
import { customerRoutes } from './customers';
import { exportRoutes } from './exports';
import { inventoryRoutes } from './inventory';
import { invoiceRoutes } from './invoices';
import { documentFileRoutes } from './document-files';
import { invoiceDraftRoutes } from './invoice-drafts';
import { invoiceProofRoutes } from './invoice-proofs';
import { invoiceVoidRoutes } from './invoice-voids';
import { paymentRoutes } from './payments';
import { categoryRoutes } from './product-categories';
import { productRoutes } from './products';
import { purchaseOrderDraftRoutes } from './purchasing/order-drafts';
import { purchaseOrderRoutes } from './purchasing/orders';
import { payableRoutes } from './purchasing/payables';
import { vendorRoutes } from './vendors';
import { warehouseRoutes } from './warehouses';

/** Every route under /api. */
export const businessRoutes: readonly Route[] = [
  ...authRoutes,
  ...productRoutes,
  ...categoryRoutes,
  ...inventoryRoutes,
  ...customerRoutes,
  ...invoiceProofRoutes,
  ...warehouseRoutes,
  ...vendorRoutes,
  ...invoiceRoutes,
  ...invoiceDraftRoutes,
  ...documentFileRoutes,
  ...invoiceVoidRoutes,
  ...creditNoteRoutes,
  ...paymentRoutes('receivable'),
  ...creditRoutes('receivable'),
  ...accountRoutes('receivable'),
  ...purchaseOrderRoutes,
  ...purchaseOrderDraftRoutes,
  ...paymentRoutes('payable'),
  ...creditRoutes('payable'),
  ...accountRoutes('payable'),
  ...payableRoutes,
  ...crmRoutes,
  ...exportRoutes,
  ...configurationRoutes,
  ...administrationRoutes,
];

/** The table of roles as the documentation shows it. */
const roleTable = ROLES.map(
  (role) =>
    `- **${role}**: ${permissionsOf(role)
      .map((name) => `\`${name}\``)
      .join(', ')}`,
);

export const businessInfo: DocumentInfo = {
  title: 'Vouch business management API',
  version: '1.0.0',
  description: [
    'Sign-in, catalogue, customers, vendors, invoices, CRM, configuration and administration. Operations marked `x-addition` are not in the contract.',
    'Send a token from login as `Authorization: Bearer`, or an API key as `X-API-Key: erp_…`.',
    'What each role may do:',
    roleTable.join('\n'),
  ].join('\n\n'),
};

/** The business API: bearer tokens or API keys, budgets per client address, of exports per user or key. */
export function businessApi(platform: Platform): ApiDefinition {
  const { config } = platform;
  const general = createRateLimiter('business', config.RATE_LIMIT_BUSINESS_PER_MINUTE);
  const authentication = createRateLimiter('business-auth', config.RATE_LIMIT_AUTH_PER_MINUTE);
  const exporting = createRateLimiter('business-exports', config.RATE_LIMIT_EXPORTS_PER_MINUTE);
  return {
    name: 'business',
    prefix: '/api',
    routes: businessRoutes,
    renderError: renderBusinessError,
    authenticate: authenticateBusiness,
    limits: {
      before: (route, address) => [
        { limiter: general, key: address },
        ...(route?.limit === 'authentication' ? [{ limiter: authentication, key: address }] : []),
      ],
      after: (route, { organisationId, id }) =>
        route.limit === 'exports' ? [{ limiter: exporting, key: `${organisationId}:${id}` }] : [],
    },
  };
}
