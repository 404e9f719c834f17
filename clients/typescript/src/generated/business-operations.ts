// Generated from openapi/business.json by `npm run build -- --openapi`; do not edit.
import { paginate } from '../pages';

import type { BodyOf, Call, CallOptions, FileResponse, QueryOf, ResponseOf } from '../calls';
import type { operations } from './business-schema';

type Body<N extends keyof operations> = BodyOf<operations[N]>;
type Query<N extends keyof operations> = QueryOf<operations[N]>;
type OperationResponse<N extends keyof operations> = ResponseOf<operations[N]>;

/** A method for every operation of the API, named as in its OpenAPI document. */
export abstract class BusinessOperations {
  /** Sends one request; a response is checked for an error only. */
  protected abstract call<T>(call: Call): Promise<T>;

  /**
   * Sign in
   *
   * After 5 failed attempts, a client address cannot sign in with an email address for 15 minutes; many failures from all addresses delay each further attempt by a growing time. Both are the same whether or not an account exists. Devices on which the user has signed in before are not affected by failures from elsewhere: send the `X-Device-Token` header of an earlier response.
   *
   * No credential is required.
   */
  login(body: Body<'login'>, options: CallOptions = {}): Promise<OperationResponse<'login'>> {
    return this.call<OperationResponse<'login'>>({ method: 'POST', path: '/api/auth/login', body, options });
  }

  /**
   * Refresh the token pair
   *
   * A refresh token can be used once. A second use is rejected; after the grace period it also ends the session. The session ends `LOGIN_SESSION_SECONDS` (30 days) after the sign-in, however often it is refreshed.
   *
   * No credential is required.
   */
  refreshToken(body: Body<'refreshToken'>, options: CallOptions = {}): Promise<OperationResponse<'refreshToken'>> {
    return this.call<OperationResponse<'refreshToken'>>({ method: 'POST', path: '/api/auth/refresh', body, options });
  }

  /**
   * Sign out
   *
   * Revokes the access token and its refresh token, or ends the browser session, immediately on every replica. An API key that is sent as well remains valid.
   *
   * Any valid credential is accepted.
   */
  logout(options: CallOptions = {}): Promise<OperationResponse<'logout'>> {
    return this.call<OperationResponse<'logout'>>({ method: 'POST', path: '/api/auth/logout', options });
  }

  /**
   * Get the current user
   *
   * For an API key, the fields of the user are null and `name` is the name of the key.
   *
   * Any valid credential is accepted.
   */
  getMe(options: CallOptions = {}): Promise<OperationResponse<'getMe'>> {
    return this.call<OperationResponse<'getMe'>>({ method: 'GET', path: '/api/auth/me', options });
  }

  /**
   * Change the password of the current user
   *
   * Ends every other session of the user. After 5 wrong current passwords, the password cannot be changed for 15 minutes.
   *
   * Any valid credential is accepted.
   */
  changePassword(
    body: Body<'changePassword'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'changePassword'>> {
    return this.call<OperationResponse<'changePassword'>>({
      method: 'POST',
      path: '/api/auth/password',
      body,
      options,
    });
  }

  /**
   * List the sessions of the current user
   *
   * Sessions in both APIs that have not ended, most recently used first. An API key has none.
   *
   * Any valid credential is accepted.
   */
  listOwnSessions(options: CallOptions = {}): Promise<OperationResponse<'listOwnSessions'>> {
    return this.call<OperationResponse<'listOwnSessions'>>({ method: 'GET', path: '/api/auth/sessions', options });
  }

  /**
   * End a session of the current user
   *
   * The session ends immediately on every replica.
   *
   * Any valid credential is accepted.
   */
  endOwnSession(id: string, options: CallOptions = {}): Promise<OperationResponse<'endOwnSession'>> {
    return this.call<OperationResponse<'endOwnSession'>>({
      method: 'DELETE',
      path: `/api/auth/sessions/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Get the second factor of the current user
   *
   * Any valid credential is accepted.
   */
  getSecondFactor(options: CallOptions = {}): Promise<OperationResponse<'getSecondFactor'>> {
    return this.call<OperationResponse<'getSecondFactor'>>({ method: 'GET', path: '/api/auth/second-factor', options });
  }

  /**
   * Begin to use a second factor
   *
   * Creates the secret of an authenticator app (TOTP: SHA-1, six digits, 30 seconds). The second factor is asked for once a code has confirmed it.
   *
   * Any valid credential is accepted.
   */
  beginSecondFactor(
    body: Body<'beginSecondFactor'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'beginSecondFactor'>> {
    return this.call<OperationResponse<'beginSecondFactor'>>({
      method: 'POST',
      path: '/api/auth/second-factor',
      body,
      options,
    });
  }

  /**
   * Confirm the second factor
   *
   * Confirms the second factor with a code of the authenticator app, and ends every other session of the user.
   *
   * Any valid credential is accepted.
   */
  confirmSecondFactor(
    body: Body<'confirmSecondFactor'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'confirmSecondFactor'>> {
    return this.call<OperationResponse<'confirmSecondFactor'>>({
      method: 'POST',
      path: '/api/auth/second-factor/confirm',
      body,
      options,
    });
  }

  /**
   * Remove the second factor
   *
   * Removes the second factor. An organisation that requires one refuses with `second_factor_mandatory`.
   *
   * Any valid credential is accepted.
   */
  removeSecondFactor(
    body: Body<'removeSecondFactor'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'removeSecondFactor'>> {
    return this.call<OperationResponse<'removeSecondFactor'>>({
      method: 'POST',
      path: '/api/auth/second-factor/remove',
      body,
      options,
    });
  }

  /**
   * List products
   *
   * Requires the permission `products:read`.
   */
  listProducts(
    query: Query<'listProducts'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listProducts'>> {
    return this.call<OperationResponse<'listProducts'>>({ method: 'GET', path: '/api/products', query, options });
  }

  /**
   * Create a product
   *
   * `initialStock`, an addition, posts stock that exists already to the stock ledger, which needs the permission `inventory:adjust`, too.
   *
   * Requires the permission `products:create`.
   */
  createProduct(
    body: Body<'createProduct'>,
    query: Query<'createProduct'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createProduct'>> {
    return this.call<OperationResponse<'createProduct'>>({
      method: 'POST',
      path: '/api/products',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Product detail
   *
   * Requires the permission `products:read`.
   */
  getProduct(id: string, options: CallOptions = {}): Promise<OperationResponse<'getProduct'>> {
    return this.call<OperationResponse<'getProduct'>>({
      method: 'GET',
      path: `/api/products/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a product
   *
   * Changes the fields that are sent. A product can be sent back as it was read: `id`, `type`, `createdAt` and `updatedAt` must be unchanged; `stock`, `averageCost` and `categoryName`, which follow from other records, are ignored. Honours If-Match.
   *
   * Requires the permission `products:update`.
   */
  updateProduct(
    id: string,
    body: Body<'updateProduct'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateProduct'>> {
    return this.call<OperationResponse<'updateProduct'>>({
      method: 'PUT',
      path: `/api/products/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Deactivate a product
   *
   * The product stays on existing documents and in stock, but cannot be used in new documents. PUT with `active: true` activates it again.
   *
   * Requires the permission `products:delete`.
   */
  deactivateProduct(id: string, options: CallOptions = {}): Promise<OperationResponse<'deactivateProduct'>> {
    return this.call<OperationResponse<'deactivateProduct'>>({
      method: 'DELETE',
      path: `/api/products/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Create and change many products
   *
   * 1 to 100 products, each with a result of its own: a row that is rejected has no effect on the others. A row without `id` is a body of `POST /api/products`; one with `id` is a body of `PUT /api/products/:id` and needs `products:update`.
   *
   * The response is 200 also if every row is rejected; `summary` counts the results. A request counts once towards the rate limit.
   *
   * With an `Idempotency-Key`, a repeated request repeats no row that took effect, whatever ended the first, and runs those again that were rejected. After a 5xx, repeat the request with its key.
   *
   * Requires the permission `products:create`.
   */
  createProducts(
    body: Body<'createProducts'>,
    query: Query<'createProducts'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createProducts'>> {
    return this.call<OperationResponse<'createProducts'>>({
      method: 'POST',
      path: '/api/products/batch',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * List categories
   *
   * Requires the permission `products:read`.
   */
  listProductCategories(
    query: Query<'listProductCategories'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listProductCategories'>> {
    return this.call<OperationResponse<'listProductCategories'>>({
      method: 'GET',
      path: '/api/products/categories',
      query,
      options,
    });
  }

  /**
   * Create a category
   *
   * Requires the permission `products:create`.
   */
  createProductCategory(
    body: Body<'createProductCategory'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'createProductCategory'>> {
    return this.call<OperationResponse<'createProductCategory'>>({
      method: 'POST',
      path: '/api/products/categories',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Category detail
   *
   * Requires the permission `products:read`.
   */
  getProductCategory(id: string, options: CallOptions = {}): Promise<OperationResponse<'getProductCategory'>> {
    return this.call<OperationResponse<'getProductCategory'>>({
      method: 'GET',
      path: `/api/products/categories/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a category
   *
   * Changes the fields that are sent. Products keep an inactive category, but no product can be added to it. Honours If-Match.
   *
   * Requires the permission `products:update`.
   */
  updateProductCategory(
    id: string,
    body: Body<'updateProductCategory'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateProductCategory'>> {
    return this.call<OperationResponse<'updateProductCategory'>>({
      method: 'PUT',
      path: `/api/products/categories/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Stock by warehouse
   *
   * Sorted by product, then warehouse. `asOf` returns the stock at a past time. `dateFrom` and `dateTo` filter by the creation of the product.
   *
   * Requires the permission `inventory:read`.
   */
  listStock(query: Query<'listStock'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listStock'>> {
    return this.call<OperationResponse<'listStock'>>({ method: 'GET', path: '/api/inventory/stock', query, options });
  }

  /**
   * Create an inventory adjustment
   *
   * Changes the quantity on hand by a difference, or to the quantity that was counted. Added units are valued at a cost, removed units at the moving average.
   *
   * Requires the permission `inventory:adjust`.
   */
  createAdjustment(
    body: Body<'createAdjustment'>,
    query: Query<'createAdjustment'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createAdjustment'>> {
    return this.call<OperationResponse<'createAdjustment'>>({
      method: 'POST',
      path: '/api/inventory/adjustments',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * List adjustments
   *
   * Requires the permission `inventory:read`.
   */
  listAdjustments(
    query: Query<'listAdjustments'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listAdjustments'>> {
    return this.call<OperationResponse<'listAdjustments'>>({
      method: 'GET',
      path: '/api/inventory/adjustments',
      query,
      options,
    });
  }

  /**
   * Create a transfer between warehouses
   *
   * Moves all lines or none. The value of the goods does not change.
   *
   * Requires the permission `inventory:transfer`.
   */
  createTransfer(
    body: Body<'createTransfer'>,
    query: Query<'createTransfer'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createTransfer'>> {
    return this.call<OperationResponse<'createTransfer'>>({
      method: 'POST',
      path: '/api/inventory/transfers',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * List transfers
   *
   * Requires the permission `inventory:read`.
   */
  listTransfers(
    query: Query<'listTransfers'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listTransfers'>> {
    return this.call<OperationResponse<'listTransfers'>>({
      method: 'GET',
      path: '/api/inventory/transfers',
      query,
      options,
    });
  }

  /**
   * Adjustment detail
   *
   * Requires the permission `inventory:read`.
   */
  getAdjustment(id: string, options: CallOptions = {}): Promise<OperationResponse<'getAdjustment'>> {
    return this.call<OperationResponse<'getAdjustment'>>({
      method: 'GET',
      path: `/api/inventory/adjustments/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Transfer detail
   *
   * Requires the permission `inventory:read`.
   */
  getTransfer(id: string, options: CallOptions = {}): Promise<OperationResponse<'getTransfer'>> {
    return this.call<OperationResponse<'getTransfer'>>({
      method: 'GET',
      path: `/api/inventory/transfers/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Products to reorder
   *
   * Active products of which the quantity available in all warehouses, which is on hand and not reserved by sales orders, is at their reorder level or below, the greatest shortage first. What placed purchase orders will bring (`onOrder`) is stated and not counted.
   *
   * Requires the permission `inventory:read`.
   */
  listLowStock(
    query: Query<'listLowStock'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listLowStock'>> {
    return this.call<OperationResponse<'listLowStock'>>({
      method: 'GET',
      path: '/api/inventory/low-stock',
      query,
      options,
    });
  }

  /**
   * Value of stock at a time
   *
   * Quantity, unit cost and value of each product in each warehouse, sorted by product and warehouse, and the exact totals of all pages. Amounts are in the base currency. The total is the balance of the inventory account in the journal at that time. Goods are valued at their average cost across all warehouses; the values of the warehouses of a product add up to its value.
   *
   * Requires the permission `inventory:read`.
   */
  getStockValuation(
    query: Query<'getStockValuation'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getStockValuation'>> {
    return this.call<OperationResponse<'getStockValuation'>>({
      method: 'GET',
      path: '/api/inventory/valuation',
      query,
      options,
    });
  }

  /**
   * Stock ledger of a product
   *
   * The movements of a product in the order in which they were posted, with quantity and value after each, and the stock before the first (`opening`). Filters hide movements; the figures after each remain those of all. With `warehouseId`, `opening` is that of the warehouse.
   *
   * Requires the permission `inventory:read`.
   */
  listStockMovements(
    query: Query<'listStockMovements'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'listStockMovements'>> {
    return this.call<OperationResponse<'listStockMovements'>>({
      method: 'GET',
      path: '/api/inventory/ledger',
      query,
      options,
    });
  }

  /** Every record of `listStockMovements`, page after page. */
  iterateStockMovements(
    query: Omit<Query<'listStockMovements'>, 'cursor'>,
    options: CallOptions = {},
  ): AsyncGenerator<OperationResponse<'listStockMovements'>['data'][number]> {
    return paginate(async (cursor) => {
      const page = await this.listStockMovements({ ...query, ...cursor }, options);
      return { items: page.data, nextCursor: page.nextCursor };
    });
  }

  /**
   * List customers
   *
   * Requires the permission `customers:read`.
   */
  listCustomers(
    query: Query<'listCustomers'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listCustomers'>> {
    return this.call<OperationResponse<'listCustomers'>>({ method: 'GET', path: '/api/customers', query, options });
  }

  /**
   * Create a customer
   *
   * Requires the permission `customers:create`.
   */
  createCustomer(
    body: Body<'createCustomer'>,
    query: Query<'createCustomer'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createCustomer'>> {
    return this.call<OperationResponse<'createCustomer'>>({
      method: 'POST',
      path: '/api/customers',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Customer detail
   *
   * Requires the permission `customers:read`.
   */
  getCustomer(id: string, options: CallOptions = {}): Promise<OperationResponse<'getCustomer'>> {
    return this.call<OperationResponse<'getCustomer'>>({
      method: 'GET',
      path: `/api/customers/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a customer
   *
   * Changes the fields that are sent. Read-only fields may be sent back unchanged. Honours If-Match.
   *
   * Requires the permission `customers:update`.
   */
  updateCustomer(
    id: string,
    body: Body<'updateCustomer'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateCustomer'>> {
    return this.call<OperationResponse<'updateCustomer'>>({
      method: 'PUT',
      path: `/api/customers/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Create and change many customers
   *
   * 1 to 100 customers, each with a result of its own: a row that is rejected has no effect on the others. A row without `id` is a body of `POST /api/customers`; one with `id` is a body of `PUT /api/customers/:id` and needs `customers:update`.
   *
   * The response is 200 also if every row is rejected; `summary` counts the results. A request counts once towards the rate limit.
   *
   * With an `Idempotency-Key`, a repeated request repeats no row that took effect, whatever ended the first, and runs those again that were rejected. After a 5xx, repeat the request with its key.
   *
   * Requires the permission `customers:create`.
   */
  createCustomers(
    body: Body<'createCustomers'>,
    query: Query<'createCustomers'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createCustomers'>> {
    return this.call<OperationResponse<'createCustomers'>>({
      method: 'POST',
      path: '/api/customers/batch',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Prove that invoice numbers have no gap
   *
   * Compares the number of documents of a series and year with its counter, and recomputes the chain of hashes from the documents, 5000 per request.
   *
   * Requires the permission `invoices:read`.
   */
  proveInvoiceNumbering(
    query: Query<'proveInvoiceNumbering'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'proveInvoiceNumbering'>> {
    return this.call<OperationResponse<'proveInvoiceNumbering'>>({
      method: 'GET',
      path: '/api/invoices/numbering',
      query,
      options,
    });
  }

  /**
   * Explain the amounts of an invoice
   *
   * Requires the permission `invoices:read`.
   */
  explainInvoice(id: string, options: CallOptions = {}): Promise<OperationResponse<'explainInvoice'>> {
    return this.call<OperationResponse<'explainInvoice'>>({
      method: 'GET',
      path: `/api/invoices/${encodeURIComponent(id)}/calculation`,
      options,
    });
  }

  /**
   * Deposits that an invoice can deduct
   *
   * Deposit invoices of a customer that are paid in full and that no invoice deducts, oldest first, at most 100: the accepted values of `depositInvoiceIds`.
   *
   * Requires the permission `invoices:read`.
   */
  listUsableDeposits(
    query: Query<'listUsableDeposits'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'listUsableDeposits'>> {
    return this.call<OperationResponse<'listUsableDeposits'>>({
      method: 'GET',
      path: '/api/invoices/deposits',
      query,
      options,
    });
  }

  /**
   * List warehouses
   *
   * Requires the permission `inventory:read`.
   */
  listWarehouses(
    query: Query<'listWarehouses'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listWarehouses'>> {
    return this.call<OperationResponse<'listWarehouses'>>({
      method: 'GET',
      path: '/api/inventory/warehouses',
      query,
      options,
    });
  }

  /**
   * Create a warehouse
   *
   * Requires the permission `config:update`.
   */
  createWarehouse(
    body: Body<'createWarehouse'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'createWarehouse'>> {
    return this.call<OperationResponse<'createWarehouse'>>({
      method: 'POST',
      path: '/api/inventory/warehouses',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Warehouse detail
   *
   * Requires the permission `inventory:read`.
   */
  getWarehouse(id: string, options: CallOptions = {}): Promise<OperationResponse<'getWarehouse'>> {
    return this.call<OperationResponse<'getWarehouse'>>({
      method: 'GET',
      path: `/api/inventory/warehouses/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a warehouse
   *
   * Changes the fields that are sent. An inactive warehouse cannot be used in new documents. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  updateWarehouse(
    id: string,
    body: Body<'updateWarehouse'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateWarehouse'>> {
    return this.call<OperationResponse<'updateWarehouse'>>({
      method: 'PUT',
      path: `/api/inventory/warehouses/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * List vendors
   *
   * Requires the permission `vendors:read`.
   */
  listVendors(query: Query<'listVendors'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listVendors'>> {
    return this.call<OperationResponse<'listVendors'>>({ method: 'GET', path: '/api/vendors', query, options });
  }

  /**
   * Create a vendor
   *
   * Requires the permission `vendors:create`.
   */
  createVendor(
    body: Body<'createVendor'>,
    query: Query<'createVendor'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createVendor'>> {
    return this.call<OperationResponse<'createVendor'>>({
      method: 'POST',
      path: '/api/vendors',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Vendor detail
   *
   * Requires the permission `vendors:read`.
   */
  getVendor(id: string, options: CallOptions = {}): Promise<OperationResponse<'getVendor'>> {
    return this.call<OperationResponse<'getVendor'>>({
      method: 'GET',
      path: `/api/vendors/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a vendor
   *
   * Changes the fields that are sent. Read-only fields may be sent back unchanged. Honours If-Match.
   *
   * Requires the permission `vendors:update`.
   */
  updateVendor(
    id: string,
    body: Body<'updateVendor'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateVendor'>> {
    return this.call<OperationResponse<'updateVendor'>>({
      method: 'PUT',
      path: `/api/vendors/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Verify the VAT identifier of a customer
   *
   * Queries VIES in the background; `taxIdVerification` has the result. While VIES or the member state does not respond, the query is repeated for ten days.
   *
   * Requires the permission `customers:update`.
   */
  verifyCustomerTaxId(id: string, options: CallOptions = {}): Promise<OperationResponse<'verifyCustomerTaxId'>> {
    return this.call<OperationResponse<'verifyCustomerTaxId'>>({
      method: 'POST',
      path: `/api/customers/${encodeURIComponent(id)}/tax-id-verifications`,
      options,
    });
  }

  /**
   * List the verifications of the VAT identifier of a customer
   *
   * The latest 100, newest first.
   *
   * Requires the permission `customers:read`.
   */
  listCustomerTaxIdVerifications(
    id: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'listCustomerTaxIdVerifications'>> {
    return this.call<OperationResponse<'listCustomerTaxIdVerifications'>>({
      method: 'GET',
      path: `/api/customers/${encodeURIComponent(id)}/tax-id-verifications`,
      options,
    });
  }

  /**
   * Verify the VAT identifier of a vendor
   *
   * Queries VIES in the background; `taxIdVerification` has the result. While VIES or the member state does not respond, the query is repeated for ten days.
   *
   * Requires the permission `vendors:update`.
   */
  verifyVendorTaxId(id: string, options: CallOptions = {}): Promise<OperationResponse<'verifyVendorTaxId'>> {
    return this.call<OperationResponse<'verifyVendorTaxId'>>({
      method: 'POST',
      path: `/api/vendors/${encodeURIComponent(id)}/tax-id-verifications`,
      options,
    });
  }

  /**
   * List the verifications of the VAT identifier of a vendor
   *
   * The latest 100, newest first.
   *
   * Requires the permission `vendors:read`.
   */
  listVendorTaxIdVerifications(
    id: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'listVendorTaxIdVerifications'>> {
    return this.call<OperationResponse<'listVendorTaxIdVerifications'>>({
      method: 'GET',
      path: `/api/vendors/${encodeURIComponent(id)}/tax-id-verifications`,
      options,
    });
  }

  /**
   * Verify the VAT identifier of the company
   *
   * Queries VIES in the background; `taxIdVerification` has the result. While VIES or the member state does not respond, the query is repeated for ten days.
   *
   * Requires the permission `config:update`.
   */
  verifyCompanyTaxId(options: CallOptions = {}): Promise<OperationResponse<'verifyCompanyTaxId'>> {
    return this.call<OperationResponse<'verifyCompanyTaxId'>>({
      method: 'POST',
      path: '/api/config/company/tax-id-verifications',
      options,
    });
  }

  /**
   * List the verifications of the VAT identifier of the company
   *
   * The latest 100, newest first.
   *
   * Requires the permission `config:read`.
   */
  listCompanyTaxIdVerifications(
    options: CallOptions = {},
  ): Promise<OperationResponse<'listCompanyTaxIdVerifications'>> {
    return this.call<OperationResponse<'listCompanyTaxIdVerifications'>>({
      method: 'GET',
      path: '/api/config/company/tax-id-verifications',
      options,
    });
  }

  /**
   * List invoices
   *
   * `dateFrom` and `dateTo` filter the issue date; for a draft, the date it would have. By default, newest first. `status=overdue` selects open amounts after the due date.
   *
   * Requires the permission `invoices:read`.
   */
  listInvoices(
    query: Query<'listInvoices'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listInvoices'>> {
    return this.call<OperationResponse<'listInvoices'>>({ method: 'GET', path: '/api/invoices', query, options });
  }

  /**
   * Create an invoice
   *
   * Issues the invoice: number, tax, stock and receivable in one transaction. All additional fields are optional. `draft: true` stores a draft instead.
   *
   * Requires the permission `invoices:create`.
   */
  createInvoice(
    body: Body<'createInvoice'>,
    query: Query<'createInvoice'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createInvoice'>> {
    return this.call<OperationResponse<'createInvoice'>>({
      method: 'POST',
      path: '/api/invoices',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Invoice detail
   *
   * Requires the permission `invoices:read`.
   */
  getInvoice(id: string, options: CallOptions = {}): Promise<OperationResponse<'getInvoice'>> {
    return this.call<OperationResponse<'getInvoice'>>({
      method: 'GET',
      path: `/api/invoices/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Change a draft
   *
   * Changes the fields that are sent and computes the draft again. Fields may be sent back as they were read: a default remains a default unless the customer (for a line: the product) changes; null resets a field to its default. `lines` replaces all lines. Honours If-Match.
   *
   * Requires the permission `invoices:update`.
   */
  updateInvoice(
    id: string,
    body: Body<'updateInvoice'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateInvoice'>> {
    return this.call<OperationResponse<'updateInvoice'>>({
      method: 'PUT',
      path: `/api/invoices/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Delete a draft
   *
   * Applies to drafts only; an issued invoice can be voided. Honours If-Match.
   *
   * Requires the permission `invoices:delete`.
   */
  deleteInvoice(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteInvoice'>> {
    return this.call<OperationResponse<'deleteInvoice'>>({
      method: 'DELETE',
      path: `/api/invoices/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Create many invoices
   *
   * 1 to 100 invoices, each with a result of its own: a row that is rejected has no effect on the others. A row is a body of `POST /api/invoices`. Their numbers follow each other without gaps, but not necessarily in the order of the rows.
   *
   * The response is 200 also if every row is rejected; `summary` counts the results. A request counts once towards the rate limit.
   *
   * With an `Idempotency-Key`, a repeated request repeats no row that took effect, whatever ended the first, and runs those again that were rejected. After a 5xx, repeat the request with its key.
   *
   * Requires the permission `invoices:create`.
   */
  createInvoices(
    body: Body<'createInvoices'>,
    query: Query<'createInvoices'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createInvoices'>> {
    return this.call<OperationResponse<'createInvoices'>>({
      method: 'POST',
      path: '/api/invoices/batch',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Issue a draft
   *
   * Computes the draft again with the current prices, rates and defaults and issues it as `POST /api/invoices` does, in one transaction. The id stays the same. Honours If-Match.
   *
   * Requires the permission `invoices:issue`.
   */
  issueInvoice(
    id: string,
    query: Query<'issueInvoice'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'issueInvoice'>> {
    return this.call<OperationResponse<'issueInvoice'>>({
      method: 'POST',
      path: `/api/invoices/${encodeURIComponent(id)}/issue`,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Print an invoice before it is issued
   *
   * The PDF of the invoice that `POST /api/invoices` with the same body would store as a draft, with the stamp "Draft" and without a number or a QR bill; no document is created. It is printed in the language of the document, and waits for it at most 25 s. The file is deleted after about a day.
   *
   * Requires the permission `invoices:create`.
   */
  previewInvoice(
    body: Body<'previewInvoice'>,
    options: CallOptions = {},
  ): Promise<FileResponse<operations['previewInvoice']>> {
    return this.call<FileResponse<operations['previewInvoice']>>({
      method: 'POST',
      path: '/api/invoices/preview',
      body,
      isFile: true,
      options,
    });
  }

  /**
   * Download PDF
   *
   * The invoice as issued, always the same bytes; a void invoice has a second PDF with a stamp. The first request renders the file and waits for it, at most 25 s (less with `Prefer: wait=N`); with `Prefer: respond-async` it responds with 202 at once. Honours `If-None-Match` (304).
   *
   * Requires the permission `invoices:read`.
   */
  downloadInvoicePdf(
    id: string,
    query: Query<'downloadInvoicePdf'> = {},
    options: CallOptions = {},
  ): Promise<FileResponse<operations['downloadInvoicePdf']>> {
    return this.call<FileResponse<operations['downloadInvoicePdf']>>({
      method: 'GET',
      path: `/api/invoices/${encodeURIComponent(id)}/pdf`,
      query,
      isFile: true,
      options,
    });
  }

  /**
   * Download PDF
   *
   * The credit note as issued, always the same bytes. The first request renders the file and waits for it, at most 25 s (less with `Prefer: wait=N`); with `Prefer: respond-async` it responds with 202 at once. Honours `If-None-Match` (304).
   *
   * Requires the permission `credit-notes:read`.
   */
  downloadCreditNotePdf(
    id: string,
    query: Query<'downloadCreditNotePdf'> = {},
    options: CallOptions = {},
  ): Promise<FileResponse<operations['downloadCreditNotePdf']>> {
    return this.call<FileResponse<operations['downloadCreditNotePdf']>>({
      method: 'GET',
      path: `/api/credit-notes/${encodeURIComponent(id)}/pdf`,
      query,
      isFile: true,
      options,
    });
  }

  /**
   * Send the invoice by e-mail
   *
   * Queues a message with the template of the company in the language of the document, and with the attached files. It is sent in the background; outages and temporary refusals are repeated for three days. Send an `Idempotency-Key`, so that a repeated request sends nothing twice.
   *
   * Requires the permission `messages:send`.
   */
  sendInvoice(
    id: string,
    body: Body<'sendInvoice'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'sendInvoice'>> {
    return this.call<OperationResponse<'sendInvoice'>>({
      method: 'POST',
      path: `/api/invoices/${encodeURIComponent(id)}/send`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Messages about the invoice
   *
   * The last 100 messages, newest first, with every attempt and delivery report.
   *
   * Requires the permission `messages:read`.
   */
  listInvoiceMessages(id: string, options: CallOptions = {}): Promise<OperationResponse<'listInvoiceMessages'>> {
    return this.call<OperationResponse<'listInvoiceMessages'>>({
      method: 'GET',
      path: `/api/invoices/${encodeURIComponent(id)}/messages`,
      options,
    });
  }

  /**
   * Send the credit note by e-mail
   *
   * Queues a message with the template of the company in the language of the document, and with the attached files. It is sent in the background; outages and temporary refusals are repeated for three days. Send an `Idempotency-Key`, so that a repeated request sends nothing twice.
   *
   * Requires the permission `messages:send`.
   */
  sendCreditNote(
    id: string,
    body: Body<'sendCreditNote'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'sendCreditNote'>> {
    return this.call<OperationResponse<'sendCreditNote'>>({
      method: 'POST',
      path: `/api/credit-notes/${encodeURIComponent(id)}/send`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Messages about the credit note
   *
   * The last 100 messages, newest first, with every attempt and delivery report.
   *
   * Requires the permission `messages:read`.
   */
  listCreditNoteMessages(id: string, options: CallOptions = {}): Promise<OperationResponse<'listCreditNoteMessages'>> {
    return this.call<OperationResponse<'listCreditNoteMessages'>>({
      method: 'GET',
      path: `/api/credit-notes/${encodeURIComponent(id)}/messages`,
      options,
    });
  }

  /**
   * Message detail
   *
   * Requires the permission `messages:read`.
   */
  getMessage(messageId: string, options: CallOptions = {}): Promise<OperationResponse<'getMessage'>> {
    return this.call<OperationResponse<'getMessage'>>({
      method: 'GET',
      path: `/api/messages/${encodeURIComponent(messageId)}`,
      options,
    });
  }

  /**
   * Erase the content of a message
   *
   * Removes recipients, subject and text. A queued message is cancelled. That a message about the document was sent, and when, is kept.
   *
   * Requires the permission `messages:send`.
   */
  eraseMessage(messageId: string, options: CallOptions = {}): Promise<OperationResponse<'eraseMessage'>> {
    return this.call<OperationResponse<'eraseMessage'>>({
      method: 'DELETE',
      path: `/api/messages/${encodeURIComponent(messageId)}`,
      options,
    });
  }

  /**
   * Send a message now
   *
   * A queued message does not wait for its next attempt, and one that failed or bounced is sent again to the recipients who did not get it.
   *
   * Requires the permission `messages:send`.
   */
  retryMessage(messageId: string, options: CallOptions = {}): Promise<OperationResponse<'retryMessage'>> {
    return this.call<OperationResponse<'retryMessage'>>({
      method: 'POST',
      path: `/api/messages/${encodeURIComponent(messageId)}/retry`,
      options,
    });
  }

  /**
   * Send a test message
   *
   * Queues a message without a document; its attempts show whether the settings work.
   *
   * Requires the permission `config:update`.
   */
  sendTestMessage(
    body: Body<'sendTestMessage'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'sendTestMessage'>> {
    return this.call<OperationResponse<'sendTestMessage'>>({
      method: 'POST',
      path: '/api/config/email/test',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Send the statement of a customer by e-mail
   *
   * Queues a message with the statement of the period as it is now, as PDF and CSV, with the template of the company in the language of the customer. It is sent, repeated and reported on like a message with an invoice. Send an `Idempotency-Key`, so that a repeated request sends nothing twice.
   *
   * Requires the permission `messages:send`.
   */
  sendCustomerStatement(
    id: string,
    body: Body<'sendCustomerStatement'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'sendCustomerStatement'>> {
    return this.call<OperationResponse<'sendCustomerStatement'>>({
      method: 'POST',
      path: `/api/customers/${encodeURIComponent(id)}/statement/send`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Messages with statements of a customer
   *
   * The last 100 messages, newest first, with every attempt and delivery report.
   *
   * Requires the permission `messages:read`.
   */
  listCustomerStatementMessages(
    id: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'listCustomerStatementMessages'>> {
    return this.call<OperationResponse<'listCustomerStatementMessages'>>({
      method: 'GET',
      path: `/api/customers/${encodeURIComponent(id)}/statement/messages`,
      options,
    });
  }

  /**
   * Create a link to the page of the invoice
   *
   * The page shows the invoice, its files and how to pay, without a sign-in. Messages contain a link of their own.
   *
   * Requires the permission `messages:send`.
   */
  createInvoiceLink(
    id: string,
    body: Body<'createInvoiceLink'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createInvoiceLink'>> {
    return this.call<OperationResponse<'createInvoiceLink'>>({
      method: 'POST',
      path: `/api/invoices/${encodeURIComponent(id)}/links`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Links to the page of the invoice
   *
   * Requires the permission `messages:send`.
   */
  listInvoiceLinks(id: string, options: CallOptions = {}): Promise<OperationResponse<'listInvoiceLinks'>> {
    return this.call<OperationResponse<'listInvoiceLinks'>>({
      method: 'GET',
      path: `/api/invoices/${encodeURIComponent(id)}/links`,
      options,
    });
  }

  /**
   * Revoke a link
   *
   * The page cannot be opened with it from now on; revoking it again has no effect.
   *
   * Requires the permission `messages:send`.
   */
  revokeInvoiceLink(
    id: string,
    linkId: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'revokeInvoiceLink'>> {
    return this.call<OperationResponse<'revokeInvoiceLink'>>({
      method: 'DELETE',
      path: `/api/invoices/${encodeURIComponent(id)}/links/${encodeURIComponent(linkId)}`,
      options,
    });
  }

  /**
   * Hand over a delivery report
   *
   * Accepts a message as the mailbox of delivery reports (`bounceAddress`) received it. A delivery report (RFC 3464) about a message that was sent is recorded with it, and one that says that the delivery failed sets it to `bounced`. The first 128 KB are read, which name message and recipients. Anything else is accepted without an effect, so that a mail server can hand over the whole mailbox. Use an API key with this permission alone.
   *
   * Requires the permission `messages:report`.
   */
  acceptDeliveryReport(
    body: Body<'acceptDeliveryReport'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'acceptDeliveryReport'>> {
    return this.call<OperationResponse<'acceptDeliveryReport'>>({
      method: 'POST',
      path: '/api/messages/delivery-reports',
      body,
      files: ['report'],
      options,
    });
  }

  /**
   * Get the reminder schedule
   *
   * Requires the permission `config:read`.
   */
  getReminderSchedule(options: CallOptions = {}): Promise<OperationResponse<'getReminderSchedule'>> {
    return this.call<OperationResponse<'getReminderSchedule'>>({
      method: 'GET',
      path: '/api/config/reminders',
      options,
    });
  }

  /**
   * Set the reminder schedule
   *
   * Each level is sent once to each overdue invoice, in order. Between two levels are at least the days between them in the schedule, also after a pause. Reminders end when nothing is open. Fees and interest are stated in the message and not posted. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  setReminderSchedule(
    body: Body<'setReminderSchedule'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'setReminderSchedule'>> {
    return this.call<OperationResponse<'setReminderSchedule'>>({
      method: 'PUT',
      path: '/api/config/reminders',
      body,
      options,
    });
  }

  /**
   * List due reminders
   *
   * The reminders that the next run sends, and those that are held back, with the reason; the longest overdue first. A level whose reminder failed is due again.
   *
   * Requires the permission `receivables:read`.
   */
  listDueReminders(options: CallOptions = {}): Promise<OperationResponse<'listDueReminders'>> {
    return this.call<OperationResponse<'listDueReminders'>>({ method: 'GET', path: '/api/reminders', options });
  }

  /**
   * Send due reminders now
   *
   * Queues what `GET /api/reminders` lists, except what has an `obstacle`. A repeated request sends nothing twice.
   *
   * Requires the permission `messages:send`.
   */
  sendDueReminders(options: CallOptions = {}): Promise<OperationResponse<'sendDueReminders'>> {
    return this.call<OperationResponse<'sendDueReminders'>>({ method: 'POST', path: '/api/reminders/send', options });
  }

  /**
   * Pause of the reminders of an invoice
   *
   * Requires the permission `receivables:read`.
   */
  getInvoiceReminderPause(
    id: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'getInvoiceReminderPause'>> {
    return this.call<OperationResponse<'getInvoiceReminderPause'>>({
      method: 'GET',
      path: `/api/invoices/${encodeURIComponent(id)}/reminder-pause`,
      options,
    });
  }

  /**
   * Pause the reminders of an invoice
   *
   * Holds back further reminders, also those that are queued. It replaces an earlier pause.
   *
   * Requires the permission `receivables:update`.
   */
  pauseInvoiceReminders(
    id: string,
    body: Body<'pauseInvoiceReminders'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'pauseInvoiceReminders'>> {
    return this.call<OperationResponse<'pauseInvoiceReminders'>>({
      method: 'PUT',
      path: `/api/invoices/${encodeURIComponent(id)}/reminder-pause`,
      body,
      options,
    });
  }

  /**
   * Resume the reminders of an invoice
   *
   * Requires the permission `receivables:update`.
   */
  resumeInvoiceReminders(id: string, options: CallOptions = {}): Promise<OperationResponse<'resumeInvoiceReminders'>> {
    return this.call<OperationResponse<'resumeInvoiceReminders'>>({
      method: 'DELETE',
      path: `/api/invoices/${encodeURIComponent(id)}/reminder-pause`,
      options,
    });
  }

  /**
   * Pause of the reminders of a customer
   *
   * Requires the permission `receivables:read`.
   */
  getCustomerReminderPause(
    id: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'getCustomerReminderPause'>> {
    return this.call<OperationResponse<'getCustomerReminderPause'>>({
      method: 'GET',
      path: `/api/customers/${encodeURIComponent(id)}/reminder-pause`,
      options,
    });
  }

  /**
   * Pause the reminders of a customer
   *
   * Holds back further reminders, also those that are queued. It replaces an earlier pause.
   *
   * Requires the permission `receivables:update`.
   */
  pauseCustomerReminders(
    id: string,
    body: Body<'pauseCustomerReminders'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'pauseCustomerReminders'>> {
    return this.call<OperationResponse<'pauseCustomerReminders'>>({
      method: 'PUT',
      path: `/api/customers/${encodeURIComponent(id)}/reminder-pause`,
      body,
      options,
    });
  }

  /**
   * Resume the reminders of a customer
   *
   * Requires the permission `receivables:update`.
   */
  resumeCustomerReminders(
    id: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'resumeCustomerReminders'>> {
    return this.call<OperationResponse<'resumeCustomerReminders'>>({
      method: 'DELETE',
      path: `/api/customers/${encodeURIComponent(id)}/reminder-pause`,
      options,
    });
  }

  /**
   * Get the e-mail settings
   *
   * Requires the permission `config:read`.
   */
  getEmailSettings(options: CallOptions = {}): Promise<OperationResponse<'getEmailSettings'>> {
    return this.call<OperationResponse<'getEmailSettings'>>({ method: 'GET', path: '/api/config/email', options });
  }

  /**
   * Set the e-mail settings
   *
   * Replaces the settings. Any SMTP server can be used. A stored password is kept if none is sent, but only for the same server and user. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  setEmailSettings(
    body: Body<'setEmailSettings'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'setEmailSettings'>> {
    return this.call<OperationResponse<'setEmailSettings'>>({
      method: 'PUT',
      path: '/api/config/email',
      body,
      options,
    });
  }

  /**
   * Remove the e-mail settings
   *
   * Removes them with the password. Messages that are still queued fail.
   *
   * Requires the permission `config:update`.
   */
  removeEmailSettings(options: CallOptions = {}): Promise<OperationResponse<'removeEmailSettings'>> {
    return this.call<OperationResponse<'removeEmailSettings'>>({
      method: 'DELETE',
      path: '/api/config/email',
      options,
    });
  }

  /**
   * List the texts of messages
   *
   * Requires the permission `config:read`.
   */
  listEmailTemplates(options: CallOptions = {}): Promise<OperationResponse<'listEmailTemplates'>> {
    return this.call<OperationResponse<'listEmailTemplates'>>({
      method: 'GET',
      path: '/api/config/email/templates',
      options,
    });
  }

  /**
   * Change the text of a kind of message
   *
   * Plain text with placeholders, which are replaced once. A line that has only placeholders without a value is left out. Honours If-Match.
   *
   * - `{{companyName}}`: Name of the company.
   * - `{{customerName}}`: Name of the customer.
   * - `{{documentNumber}}`: Number of the invoice or credit note; empty for a statement.
   * - `{{issueDate}}`: Date of the document.
   * - `{{dueDate}}`: Due date; of invoices.
   * - `{{total}}`: Total with tax and currency; empty for a statement.
   * - `{{openAmount}}`: What is open, with currency; of a statement, its closing balances; empty for a credit note.
   * - `{{periodFrom}}`: First day of the period; of statements.
   * - `{{periodTo}}`: Last day of the period; of statements.
   * - `{{link}}`: Address of the page where the invoice can be viewed and downloaded; of invoices.
   * - `{{daysOverdue}}`: Days since the due date; of reminders.
   * - `{{level}}`: Number of the reminder, from 1; of reminders.
   * - `{{fee}}`: Fee of the reminder, with currency; empty without one.
   * - `{{interestText}}`: What the settings say about interest; empty without a text.
   *
   * Requires the permission `config:update`.
   */
  setEmailTemplate(
    body: Body<'setEmailTemplate'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'setEmailTemplate'>> {
    return this.call<OperationResponse<'setEmailTemplate'>>({
      method: 'PUT',
      path: '/api/config/email/templates',
      body,
      options,
    });
  }

  /**
   * Return to the default text
   *
   * Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  resetEmailTemplate(
    query: Query<'resetEmailTemplate'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'resetEmailTemplate'>> {
    return this.call<OperationResponse<'resetEmailTemplate'>>({
      method: 'DELETE',
      path: '/api/config/email/templates',
      query,
      options,
    });
  }

  /**
   * Get the text of a kind of message
   *
   * Requires the permission `config:read`.
   */
  getEmailTemplate(
    kind: string,
    language: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'getEmailTemplate'>> {
    return this.call<OperationResponse<'getEmailTemplate'>>({
      method: 'GET',
      path: `/api/config/email/templates/${encodeURIComponent(kind)}/${encodeURIComponent(language)}`,
      options,
    });
  }

  /**
   * Void an invoice
   *
   * The number is kept; stock and receivable are reversed today at original cost and exchange rate. A sales order that it was issued from is confirmed again and reserves the goods. An invoice with payments or credit notes, or in a locked period, cannot be voided: the 409 error lists them and the routes that reverse them.
   *
   * Requires the permission `invoices:void`.
   */
  voidInvoice(
    id: string,
    body: Body<'voidInvoice'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'voidInvoice'>> {
    return this.call<OperationResponse<'voidInvoice'>>({
      method: 'POST',
      path: `/api/invoices/${encodeURIComponent(id)}/void`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List credit notes
   *
   * Requires the permission `credit-notes:read`.
   */
  listCreditNotes(
    query: Query<'listCreditNotes'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listCreditNotes'>> {
    return this.call<OperationResponse<'listCreditNotes'>>({
      method: 'GET',
      path: '/api/credit-notes',
      query,
      options,
    });
  }

  /**
   * Create a credit note
   *
   * The credit reduces the open amount of the invoice; the rest can be applied to other documents or refunded. Amounts are rounded cumulatively, so that crediting everything credits exactly the total of the invoice. Discounts and charges of the invoice are credited in proportion to the credited lines.
   *
   * Requires the permission `credit-notes:create`.
   */
  createCreditNote(
    body: Body<'createCreditNote'>,
    query: Query<'createCreditNote'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createCreditNote'>> {
    return this.call<OperationResponse<'createCreditNote'>>({
      method: 'POST',
      path: '/api/credit-notes',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Credit note detail
   *
   * Requires the permission `credit-notes:read`.
   */
  getCreditNote(id: string, options: CallOptions = {}): Promise<OperationResponse<'getCreditNote'>> {
    return this.call<OperationResponse<'getCreditNote'>>({
      method: 'GET',
      path: `/api/credit-notes/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * List payments and refunds
   *
   * Requires the permission `receivables:read`.
   */
  listReceivablePayments(
    query: Query<'listReceivablePayments'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listReceivablePayments'>> {
    return this.call<OperationResponse<'listReceivablePayments'>>({
      method: 'GET',
      path: '/api/receivables/payments',
      query,
      options,
    });
  }

  /**
   * Register a collection
   *
   * Applies the payment to documents in one transaction; the rest stays credit.
   *
   * Requires the permission `receivables:create`.
   */
  registerReceivablePayment(
    body: Body<'registerReceivablePayment'>,
    query: Query<'registerReceivablePayment'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'registerReceivablePayment'>> {
    return this.call<OperationResponse<'registerReceivablePayment'>>({
      method: 'POST',
      path: '/api/receivables/payments',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Payment detail
   *
   * Requires the permission `receivables:read`.
   */
  getReceivablePayment(id: string, options: CallOptions = {}): Promise<OperationResponse<'getReceivablePayment'>> {
    return this.call<OperationResponse<'getReceivablePayment'>>({
      method: 'GET',
      path: `/api/receivables/payments/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Void a payment or refund
   *
   * Posts counter-entries dated today: the settled amounts are open again, the record is kept.
   *
   * Requires the permission `receivables:update`.
   */
  voidReceivablePayment(
    id: string,
    body: Body<'voidReceivablePayment'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'voidReceivablePayment'>> {
    return this.call<OperationResponse<'voidReceivablePayment'>>({
      method: 'POST',
      path: `/api/receivables/payments/${encodeURIComponent(id)}/void`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List allocations
   *
   * Which payment or credit note settled which document, and when; also those that were reversed (`reversedOn`). `dateFrom` and `dateTo` filter by the date of the allocation.
   *
   * Requires the permission `receivables:read`.
   */
  listReceivableAllocations(
    query: Query<'listReceivableAllocations'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listReceivableAllocations'>> {
    return this.call<OperationResponse<'listReceivableAllocations'>>({
      method: 'GET',
      path: '/api/receivables/allocations',
      query,
      options,
    });
  }

  /**
   * Apply credit to a document
   *
   * Requires the permission `receivables:create`.
   */
  applyReceivableCredit(
    body: Body<'applyReceivableCredit'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'applyReceivableCredit'>> {
    return this.call<OperationResponse<'applyReceivableCredit'>>({
      method: 'POST',
      path: '/api/receivables/allocations',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Reverse an allocation
   *
   * Posts counter-entries dated today; the credit is available again.
   *
   * Requires the permission `receivables:update`.
   */
  reverseReceivableAllocation(
    id: string,
    body: Body<'reverseReceivableAllocation'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'reverseReceivableAllocation'>> {
    return this.call<OperationResponse<'reverseReceivableAllocation'>>({
      method: 'POST',
      path: `/api/receivables/allocations/${encodeURIComponent(id)}/reverse`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Refund credit to a customer
   *
   * Requires the permission `receivables:create`.
   */
  refundReceivableCredit(
    body: Body<'refundReceivableCredit'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'refundReceivableCredit'>> {
    return this.call<OperationResponse<'refundReceivableCredit'>>({
      method: 'POST',
      path: '/api/receivables/refunds',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List write-offs
   *
   * What was written off of which document, payment or credit note, and when; also those that were voided (`voidedOn`). `dateFrom` and `dateTo` filter by the date of the write-off.
   *
   * Requires the permission `receivables:read`.
   */
  listReceivableWriteOffs(
    query: Query<'listReceivableWriteOffs'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listReceivableWriteOffs'>> {
    return this.call<OperationResponse<'listReceivableWriteOffs'>>({
      method: 'GET',
      path: '/api/receivables/write-offs',
      query,
      options,
    });
  }

  /**
   * Write off a small difference
   *
   * Closes what is left open of a document, or of a payment or credit note, up to `writeOffLimit` of the company in base currency. The net amount and tax of a document are reduced in the proportion of its rates, in the period of `date`; what exceeds the amount that it still charges, such as after a credit note of it was paid out, has no tax.
   *
   * Requires the permission `receivables:create`.
   */
  writeOffReceivable(
    body: Body<'writeOffReceivable'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'writeOffReceivable'>> {
    return this.call<OperationResponse<'writeOffReceivable'>>({
      method: 'POST',
      path: '/api/receivables/write-offs',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Write-off detail
   *
   * Requires the permission `receivables:read`.
   */
  getReceivableWriteOff(id: string, options: CallOptions = {}): Promise<OperationResponse<'getReceivableWriteOff'>> {
    return this.call<OperationResponse<'getReceivableWriteOff'>>({
      method: 'GET',
      path: `/api/receivables/write-offs/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Void a write-off
   *
   * Posts counter-entries dated today: the amount is open again, the record is kept.
   *
   * Requires the permission `receivables:update`.
   */
  voidReceivableWriteOff(
    id: string,
    body: Body<'voidReceivableWriteOff'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'voidReceivableWriteOff'>> {
    return this.call<OperationResponse<'voidReceivableWriteOff'>>({
      method: 'POST',
      path: `/api/receivables/write-offs/${encodeURIComponent(id)}/void`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List receivables
   *
   * Open documents by due date; `state` selects others. `dateFrom` and `dateTo` filter the date of the document.
   *
   * Requires the permission `receivables:read`.
   */
  listReceivables(
    query: Query<'listReceivables'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listReceivables'>> {
    return this.call<OperationResponse<'listReceivables'>>({ method: 'GET', path: '/api/receivables', query, options });
  }

  /**
   * Aging of receivables
   *
   * Amounts per party and currency as of any date: not due, 1–30, 31–60, 61–90 and more than 90 days past due, unapplied credit, and net.
   *
   * Requires the permission `receivables:read`.
   */
  getReceivableAging(
    query: Query<'getReceivableAging'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getReceivableAging'>> {
    return this.call<OperationResponse<'getReceivableAging'>>({
      method: 'GET',
      path: '/api/receivables/aging',
      query,
      options,
    });
  }

  /**
   * Receivable balance
   *
   * Requires the permission `receivables:read`.
   */
  getCustomerBalance(
    id: string,
    query: Query<'getCustomerBalance'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getCustomerBalance'>> {
    return this.call<OperationResponse<'getCustomerBalance'>>({
      method: 'GET',
      path: `/api/customers/${encodeURIComponent(id)}/balance`,
      query,
      options,
    });
  }

  /**
   * Statement of a customer
   *
   * Opening balance, documents, payments and other entries of a period with the balance after each, by currency; at most 5000 rows. Allocations of payments to invoices are left out, since they do not change the balance.
   *
   * Requires the permission `receivables:read`.
   */
  getCustomerStatement(
    id: string,
    query: Query<'getCustomerStatement'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getCustomerStatement'>> {
    return this.call<OperationResponse<'getCustomerStatement'>>({
      method: 'GET',
      path: `/api/customers/${encodeURIComponent(id)}/statement`,
      query,
      options,
    });
  }

  /**
   * Statement of a customer as a file
   *
   * `format=pdf` prints the statement in the language of the customer, and waits for it at most 25 s; `format=csv` has one line per entry, and opening and closing balances.
   *
   * Requires the permission `receivables:read`.
   */
  downloadCustomerStatement(
    id: string,
    query: Query<'downloadCustomerStatement'> = {},
    options: CallOptions = {},
  ): Promise<FileResponse<operations['downloadCustomerStatement']>> {
    return this.call<FileResponse<operations['downloadCustomerStatement']>>({
      method: 'GET',
      path: `/api/customers/${encodeURIComponent(id)}/statement/file`,
      query,
      isFile: true,
      options,
    });
  }

  /**
   * Totals of open receivables by age
   *
   * The totals of the aging report of today, without its parties. Reads only what is open, so that its cost does not grow with the settled receivables.
   *
   * Requires the permission `receivables:read`.
   */
  getReceivableAgingTotals(options: CallOptions = {}): Promise<OperationResponse<'getReceivableAgingTotals'>> {
    return this.call<OperationResponse<'getReceivableAgingTotals'>>({
      method: 'GET',
      path: '/api/receivables/aging/totals',
      options,
    });
  }

  /**
   * List sales orders
   *
   * Requires the permission `invoices:read` or `inventory:adjust`.
   */
  listSalesOrders(
    query: Query<'listSalesOrders'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listSalesOrders'>> {
    return this.call<OperationResponse<'listSalesOrders'>>({
      method: 'GET',
      path: '/api/sales-orders',
      query,
      options,
    });
  }

  /**
   * Create a sales order
   *
   * Creates a draft, which reserves nothing. Prices, rates and totals are computed as those of an invoice.
   *
   * Requires the permission `invoices:create`.
   */
  createSalesOrder(
    body: Body<'createSalesOrder'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'createSalesOrder'>> {
    return this.call<OperationResponse<'createSalesOrder'>>({
      method: 'POST',
      path: '/api/sales-orders',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Sales order detail
   *
   * Requires the permission `invoices:read` or `inventory:adjust`.
   */
  getSalesOrder(id: string, options: CallOptions = {}): Promise<OperationResponse<'getSalesOrder'>> {
    return this.call<OperationResponse<'getSalesOrder'>>({
      method: 'GET',
      path: `/api/sales-orders/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a draft
   *
   * Changes the fields that are sent and computes the draft again; `lines` replaces all lines. `null` stands for the default: today as `orderDate`, the currency of the customer as `currencyCode`. Read-only fields may be sent back unchanged. If the customer changes, a line keeps its tax rate unless that was the default for the customer before. Honours If-Match.
   *
   * Requires the permission `invoices:update`.
   */
  updateSalesOrder(
    id: string,
    body: Body<'updateSalesOrder'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateSalesOrder'>> {
    return this.call<OperationResponse<'updateSalesOrder'>>({
      method: 'PUT',
      path: `/api/sales-orders/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Confirm an order and reserve its goods
   *
   * Reserves the goods of all lines or of none. Reserved goods stay on hand, and only the invoice of the order can issue them. The open balance of the customer and the order must be within the credit limit, at the exchange rate of today; other orders do not count. Honours If-Match.
   *
   * Requires the permission `invoices:update`.
   */
  confirmSalesOrder(id: string, options: CallOptions = {}): Promise<OperationResponse<'confirmSalesOrder'>> {
    return this.call<OperationResponse<'confirmSalesOrder'>>({
      method: 'POST',
      path: `/api/sales-orders/${encodeURIComponent(id)}/confirm`,
      idempotent: true,
      options,
    });
  }

  /**
   * Cancel an order and release its goods
   *
   * Honours If-Match.
   *
   * Requires the permission `invoices:update`.
   */
  cancelSalesOrder(
    id: string,
    body: Body<'cancelSalesOrder'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'cancelSalesOrder'>> {
    return this.call<OperationResponse<'cancelSalesOrder'>>({
      method: 'POST',
      path: `/api/sales-orders/${encodeURIComponent(id)}/cancel`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Issue the invoice of an order
   *
   * Issues an invoice at the prices and in the units of the order, releases its reservation and issues its goods, in one transaction. Reference and notes default to those of the order, the reference else to its number. Products and tax rates that became inactive after the order are invoiced, too.
   *
   * Requires the permission `invoices:issue`.
   */
  invoiceSalesOrder(
    id: string,
    body: Body<'invoiceSalesOrder'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'invoiceSalesOrder'>> {
    return this.call<OperationResponse<'invoiceSalesOrder'>>({
      method: 'POST',
      path: `/api/sales-orders/${encodeURIComponent(id)}/invoice`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List purchase orders
   *
   * Requires the permission `purchase-orders:read`.
   */
  listPurchaseOrders(
    query: Query<'listPurchaseOrders'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listPurchaseOrders'>> {
    return this.call<OperationResponse<'listPurchaseOrders'>>({
      method: 'GET',
      path: '/api/purchase-orders',
      query,
      options,
    });
  }

  /**
   * Create a purchase order
   *
   * Requires the permission `purchase-orders:create`.
   */
  createPurchaseOrder(
    body: Body<'createPurchaseOrder'>,
    query: Query<'createPurchaseOrder'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'createPurchaseOrder'>> {
    return this.call<OperationResponse<'createPurchaseOrder'>>({
      method: 'POST',
      path: '/api/purchase-orders',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Purchase order detail
   *
   * Requires the permission `purchase-orders:read`.
   */
  getPurchaseOrder(id: string, options: CallOptions = {}): Promise<OperationResponse<'getPurchaseOrder'>> {
    return this.call<OperationResponse<'getPurchaseOrder'>>({
      method: 'GET',
      path: `/api/purchase-orders/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a draft, or when the goods are expected
   *
   * Changes the fields that are sent and recalculates the draft. Of an order that was placed and not received completely, `expectedDate` can change. `null` stands for the default: today as `orderDate`, the currency of the vendor as `currencyCode`. Read-only fields may be sent back unchanged. `lines` replaces all lines; a field of a line that is absent or null gets the default of its product. If the vendor changes, a line keeps its tax rate unless that was the default for the vendor before. Honours If-Match.
   *
   * Requires the permission `purchase-orders:update`.
   */
  updatePurchaseOrder(
    id: string,
    body: Body<'updatePurchaseOrder'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updatePurchaseOrder'>> {
    return this.call<OperationResponse<'updatePurchaseOrder'>>({
      method: 'PUT',
      path: `/api/purchase-orders/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Place a draft
   *
   * A placed order cannot change any more. Honours If-Match.
   *
   * Requires the permission `purchase-orders:update`.
   */
  placePurchaseOrder(id: string, options: CallOptions = {}): Promise<OperationResponse<'placePurchaseOrder'>> {
    return this.call<OperationResponse<'placePurchaseOrder'>>({
      method: 'POST',
      path: `/api/purchase-orders/${encodeURIComponent(id)}/place`,
      idempotent: true,
      options,
    });
  }

  /**
   * Cancel an order or its remaining quantities
   *
   * Honours If-Match.
   *
   * Requires the permission `purchase-orders:update`.
   */
  cancelPurchaseOrder(
    id: string,
    body: Body<'cancelPurchaseOrder'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'cancelPurchaseOrder'>> {
    return this.call<OperationResponse<'cancelPurchaseOrder'>>({
      method: 'POST',
      path: `/api/purchase-orders/${encodeURIComponent(id)}/cancel`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Register a receipt
   *
   * Receives goods into stock at their cost and creates an unbilled payable, which the bill of the vendor replaces later, in one transaction. Without `lines`, all remaining quantities are received. Goods that were returned to the vendor can be received again, also of an order that was received completely, and so can what the tolerance allows.
   *
   * Requires the permission `purchase-orders:receive`.
   */
  receivePurchaseOrder(
    id: string,
    body: Body<'receivePurchaseOrder'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'receivePurchaseOrder'>> {
    return this.call<OperationResponse<'receivePurchaseOrder'>>({
      method: 'POST',
      path: `/api/purchase-orders/${encodeURIComponent(id)}/receive`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Return goods to a vendor
   *
   * Returns goods of a receipt, at most what was received and not returned yet; without `lines`, all that is left. The goods leave stock at their moving average cost. Before the bill of the receipt, its unbilled payable is reduced; afterwards a credit note is posted at the exchange rate of the bill, which first reduces the bill, and input tax with it. A difference between the credit and the value in stock is a purchase difference. A `unitCost` that is neither that of the receipt nor that of its bill decides what is payable, which needs the permission `payables:create`, too.
   *
   * Requires the permission `purchase-orders:receive`.
   */
  createVendorReturn(
    body: Body<'createVendorReturn'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'createVendorReturn'>> {
    return this.call<OperationResponse<'createVendorReturn'>>({
      method: 'POST',
      path: '/api/vendor-returns',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List returns to vendors
   *
   * `dateFrom` and `dateTo` filter by the date of the return.
   *
   * Requires the permission `purchase-orders:read`.
   */
  listVendorReturns(
    query: Query<'listVendorReturns'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listVendorReturns'>> {
    return this.call<OperationResponse<'listVendorReturns'>>({
      method: 'GET',
      path: '/api/vendor-returns',
      query,
      options,
    });
  }

  /**
   * Return detail
   *
   * Requires the permission `purchase-orders:read`.
   */
  getVendorReturn(id: string, options: CallOptions = {}): Promise<OperationResponse<'getVendorReturn'>> {
    return this.call<OperationResponse<'getVendorReturn'>>({
      method: 'GET',
      path: `/api/vendor-returns/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * List payments and refunds
   *
   * Requires the permission `payables:read`.
   */
  listPayablePayments(
    query: Query<'listPayablePayments'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listPayablePayments'>> {
    return this.call<OperationResponse<'listPayablePayments'>>({
      method: 'GET',
      path: '/api/payables/payments',
      query,
      options,
    });
  }

  /**
   * Register a payment
   *
   * Applies the payment to documents in one transaction; the rest stays credit.
   *
   * Requires the permission `payables:create`.
   */
  registerPayablePayment(
    body: Body<'registerPayablePayment'>,
    query: Query<'registerPayablePayment'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'registerPayablePayment'>> {
    return this.call<OperationResponse<'registerPayablePayment'>>({
      method: 'POST',
      path: '/api/payables/payments',
      body,
      query,
      idempotent: true,
      options,
    });
  }

  /**
   * Payment detail
   *
   * Requires the permission `payables:read`.
   */
  getPayablePayment(id: string, options: CallOptions = {}): Promise<OperationResponse<'getPayablePayment'>> {
    return this.call<OperationResponse<'getPayablePayment'>>({
      method: 'GET',
      path: `/api/payables/payments/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Void a payment or refund
   *
   * Posts counter-entries dated today: the settled amounts are open again, the record is kept.
   *
   * Requires the permission `payables:update`.
   */
  voidPayablePayment(
    id: string,
    body: Body<'voidPayablePayment'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'voidPayablePayment'>> {
    return this.call<OperationResponse<'voidPayablePayment'>>({
      method: 'POST',
      path: `/api/payables/payments/${encodeURIComponent(id)}/void`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List allocations
   *
   * Which payment or credit note settled which document, and when; also those that were reversed (`reversedOn`). `dateFrom` and `dateTo` filter by the date of the allocation.
   *
   * Requires the permission `payables:read`.
   */
  listPayableAllocations(
    query: Query<'listPayableAllocations'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listPayableAllocations'>> {
    return this.call<OperationResponse<'listPayableAllocations'>>({
      method: 'GET',
      path: '/api/payables/allocations',
      query,
      options,
    });
  }

  /**
   * Apply credit to a document
   *
   * Requires the permission `payables:create`.
   */
  applyPayableCredit(
    body: Body<'applyPayableCredit'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'applyPayableCredit'>> {
    return this.call<OperationResponse<'applyPayableCredit'>>({
      method: 'POST',
      path: '/api/payables/allocations',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Reverse an allocation
   *
   * Posts counter-entries dated today; the credit is available again.
   *
   * Requires the permission `payables:update`.
   */
  reversePayableAllocation(
    id: string,
    body: Body<'reversePayableAllocation'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'reversePayableAllocation'>> {
    return this.call<OperationResponse<'reversePayableAllocation'>>({
      method: 'POST',
      path: `/api/payables/allocations/${encodeURIComponent(id)}/reverse`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Receive a refund from a vendor
   *
   * Requires the permission `payables:create`.
   */
  refundPayableCredit(
    body: Body<'refundPayableCredit'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'refundPayableCredit'>> {
    return this.call<OperationResponse<'refundPayableCredit'>>({
      method: 'POST',
      path: '/api/payables/refunds',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List write-offs
   *
   * What was written off of which document, payment or credit note, and when; also those that were voided (`voidedOn`). `dateFrom` and `dateTo` filter by the date of the write-off.
   *
   * Requires the permission `payables:read`.
   */
  listPayableWriteOffs(
    query: Query<'listPayableWriteOffs'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listPayableWriteOffs'>> {
    return this.call<OperationResponse<'listPayableWriteOffs'>>({
      method: 'GET',
      path: '/api/payables/write-offs',
      query,
      options,
    });
  }

  /**
   * Write off a small difference
   *
   * Closes what is left open of a document, or of a payment or credit note, up to `writeOffLimit` of the company in base currency. The net amount and tax of a document are reduced in the proportion of its rates, in the period of `date`; what exceeds the amount that it still charges, such as after a credit note of it was paid out, has no tax.
   *
   * Requires the permission `payables:create`.
   */
  writeOffPayable(
    body: Body<'writeOffPayable'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'writeOffPayable'>> {
    return this.call<OperationResponse<'writeOffPayable'>>({
      method: 'POST',
      path: '/api/payables/write-offs',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Write-off detail
   *
   * Requires the permission `payables:read`.
   */
  getPayableWriteOff(id: string, options: CallOptions = {}): Promise<OperationResponse<'getPayableWriteOff'>> {
    return this.call<OperationResponse<'getPayableWriteOff'>>({
      method: 'GET',
      path: `/api/payables/write-offs/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Void a write-off
   *
   * Posts counter-entries dated today: the amount is open again, the record is kept.
   *
   * Requires the permission `payables:update`.
   */
  voidPayableWriteOff(
    id: string,
    body: Body<'voidPayableWriteOff'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'voidPayableWriteOff'>> {
    return this.call<OperationResponse<'voidPayableWriteOff'>>({
      method: 'POST',
      path: `/api/payables/write-offs/${encodeURIComponent(id)}/void`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List payables
   *
   * Open documents by due date; `state` selects others. `dateFrom` and `dateTo` filter the date of the document.
   *
   * Requires the permission `payables:read`.
   */
  listPayables(
    query: Query<'listPayables'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listPayables'>> {
    return this.call<OperationResponse<'listPayables'>>({ method: 'GET', path: '/api/payables', query, options });
  }

  /**
   * Record a bill of a vendor
   *
   * Replaces the unbilled payables of its receipts and returns the differences of price, quantity and exchange rate. It charges at most the quantities received, compared product by product; beyond the `overBillingTolerancePercent` of the company it is rejected. If no line names a product, the quantities are compared in total. A bill without receipts has no order.
   *
   * Requires the permission `payables:create`.
   */
  recordVendorBill(
    body: Body<'recordVendorBill'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'recordVendorBill'>> {
    return this.call<OperationResponse<'recordVendorBill'>>({
      method: 'POST',
      path: '/api/payables',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Aging of payables
   *
   * Amounts per party and currency as of any date: not due, 1–30, 31–60, 61–90 and more than 90 days past due, unapplied credit, and net.
   *
   * Requires the permission `payables:read`.
   */
  getPayableAging(
    query: Query<'getPayableAging'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getPayableAging'>> {
    return this.call<OperationResponse<'getPayableAging'>>({
      method: 'GET',
      path: '/api/payables/aging',
      query,
      options,
    });
  }

  /**
   * Payable balance
   *
   * Requires the permission `payables:read`.
   */
  getVendorBalance(
    id: string,
    query: Query<'getVendorBalance'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getVendorBalance'>> {
    return this.call<OperationResponse<'getVendorBalance'>>({
      method: 'GET',
      path: `/api/vendors/${encodeURIComponent(id)}/balance`,
      query,
      options,
    });
  }

  /**
   * Totals of open payables by age
   *
   * The totals of the aging report of today, without its parties. Reads only what is open, so that its cost does not grow with the settled payables.
   *
   * Requires the permission `payables:read`.
   */
  getPayableAgingTotals(options: CallOptions = {}): Promise<OperationResponse<'getPayableAgingTotals'>> {
    return this.call<OperationResponse<'getPayableAgingTotals'>>({
      method: 'GET',
      path: '/api/payables/aging/totals',
      options,
    });
  }

  /**
   * Record a credit note of a vendor
   *
   * Reduces the payable that it names by what is open of it; the remainder is a credit that can be applied or refunded. It is not dated before that payable, and all credit notes of a bill together are worth at most the bill.
   *
   * Requires the permission `payables:create`.
   */
  recordVendorCreditNote(
    body: Body<'recordVendorCreditNote'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'recordVendorCreditNote'>> {
    return this.call<OperationResponse<'recordVendorCreditNote'>>({
      method: 'POST',
      path: '/api/payables/credit-notes',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Payable detail
   *
   * A receipt, a bill or a credit note of a vendor.
   *
   * Requires the permission `payables:read`.
   */
  getPayable(id: string, options: CallOptions = {}): Promise<OperationResponse<'getPayable'>> {
    return this.call<OperationResponse<'getPayable'>>({
      method: 'GET',
      path: `/api/payables/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Void a bill or credit note of a vendor
   *
   * For a document that was recorded wrongly: counter-entries reverse it in the ledger, the journal and the VAT report, the record is kept, and its number can be used again. The receipts that a bill replaced are unbilled again, as before the bill. A document with payments, write-offs or credit notes, or in a locked period, cannot be voided: the 409 error lists what to reverse first and the routes that do so. Neither can a bill of which goods were returned since, nor the credit note of returned goods.
   *
   * Requires the permission `payables:update`.
   */
  voidPayable(
    id: string,
    body: Body<'voidPayable'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'voidPayable'>> {
    return this.call<OperationResponse<'voidPayable'>>({
      method: 'POST',
      path: `/api/payables/${encodeURIComponent(id)}/void`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List journal entries
   *
   * The journal in double entry, by day. Entries are derived from the documents, so there is nothing to edit; a document of a locked period always has the same entry. `dateFrom` and `dateTo` select days.
   *
   * Requires the permission `accounting:read`.
   */
  listJournalEntries(
    query: Query<'listJournalEntries'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listJournalEntries'>> {
    return this.call<OperationResponse<'listJournalEntries'>>({ method: 'GET', path: '/api/journal', query, options });
  }

  /**
   * Sums of the journal by account
   *
   * Opening balance, debits, credits and closing balance of every account, in base currency.
   *
   * Requires the permission `accounting:read`.
   */
  getTrialBalance(
    query: Query<'getTrialBalance'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getTrialBalance'>> {
    return this.call<OperationResponse<'getTrialBalance'>>({
      method: 'GET',
      path: '/api/reports/trial-balance',
      query,
      options,
    });
  }

  /**
   * VAT report
   *
   * Net amounts and taxes by period, direction and rate, in base currency, by the date of each document (accrual). Credit notes count on their date, a void on its day. Zero-rated, exempt, reverse-charge, intra-community and export amounts have rows of their own. A rate of several taxes is split into `components`.
   *
   * Requires the permission `accounting:read`.
   */
  getVatReport(
    query: Query<'getVatReport'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'getVatReport'>> {
    return this.call<OperationResponse<'getVatReport'>>({ method: 'GET', path: '/api/reports/vat', query, options });
  }

  /**
   * Get the chart of accounts and the accounting settings
   *
   * Requires the permission `accounting:read`.
   */
  getAccountingSettings(options: CallOptions = {}): Promise<OperationResponse<'getAccountingSettings'>> {
    return this.call<OperationResponse<'getAccountingSettings'>>({
      method: 'GET',
      path: '/api/config/accounting',
      options,
    });
  }

  /**
   * Update the chart of accounts and the accounting settings
   *
   * Changes the fields that are sent. A changed chart applies from the day after the period lock on, and without a lock to all entries; entries of locked days keep their accounts. Honours If-Match.
   *
   * Requires the permission `accounting:update`.
   */
  updateAccountingSettings(
    body: Body<'updateAccountingSettings'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateAccountingSettings'>> {
    return this.call<OperationResponse<'updateAccountingSettings'>>({
      method: 'PUT',
      path: '/api/config/accounting',
      body,
      options,
    });
  }

  /**
   * Import bank statements
   *
   * Imports the statements of a file: camt.053 (ISO 20022), MT940 (SWIFT) or CSV, at most 5 MB, 1000 statements and 5000 booked transactions. Balances must add up.
   *
   * A statement that was imported before has no effect, and a transaction that an earlier statement of the account had is not imported again.
   *
   * A CSV file needs `mapping`, a JSON text with the names of its columns (`bookingDate` and `amount` are required) and, if they differ, `delimiter` (`,`), `dateFormat` (`YYYY-MM-DD`), `decimalSeparator` (`.`) and `skipLines` (0).
   *
   * Requires the permission `banking:create`.
   */
  importBankStatements(
    body: Body<'importBankStatements'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'importBankStatements'>> {
    return this.call<OperationResponse<'importBankStatements'>>({
      method: 'POST',
      path: '/api/bank-statements',
      body,
      files: ['file'],
      idempotent: true,
      options,
    });
  }

  /**
   * List imported bank statements
   *
   * `dateFrom` and `dateTo` filter the last booking date.
   *
   * Requires the permission `banking:read`.
   */
  listBankStatements(
    query: Query<'listBankStatements'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listBankStatements'>> {
    return this.call<OperationResponse<'listBankStatements'>>({
      method: 'GET',
      path: '/api/bank-statements',
      query,
      options,
    });
  }

  /**
   * Get an imported bank statement
   *
   * Requires the permission `banking:read`.
   */
  getBankStatement(id: string, options: CallOptions = {}): Promise<OperationResponse<'getBankStatement'>> {
    return this.call<OperationResponse<'getBankStatement'>>({
      method: 'GET',
      path: `/api/bank-statements/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * List bank transactions
   *
   * `dateFrom` and `dateTo` filter the booking date; `search` finds names and texts.
   *
   * Requires the permission `banking:read`.
   */
  listBankTransactions(
    query: Query<'listBankTransactions'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listBankTransactions'>> {
    return this.call<OperationResponse<'listBankTransactions'>>({
      method: 'GET',
      path: '/api/bank-transactions',
      query,
      options,
    });
  }

  /**
   * Get a bank transaction
   *
   * Requires the permission `banking:read`.
   */
  getBankTransaction(id: string, options: CallOptions = {}): Promise<OperationResponse<'getBankTransaction'>> {
    return this.call<OperationResponse<'getBankTransaction'>>({
      method: 'GET',
      path: `/api/bank-transactions/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Propose payments and documents for a bank transaction
   *
   * First payments and refunds that are registered already, with the amount and currency of the transaction, no bank transaction yet, and a date at most 60 days from its booking date (`payment`); accepting one posts nothing. Then open invoices or bills in the currency of the transaction, best first, with a score from 0 to 100 and its reasons: document numbers in the text, the amount, the name, and earlier transactions of the same account. Nothing is posted until a proposal is accepted.
   *
   * Requires the permission `banking:read`.
   */
  listMatchProposals(id: string, options: CallOptions = {}): Promise<OperationResponse<'listMatchProposals'>> {
    return this.call<OperationResponse<'listMatchProposals'>>({
      method: 'GET',
      path: `/api/bank-transactions/${encodeURIComponent(id)}/proposals`,
      options,
    });
  }

  /**
   * Match a bank transaction with documents or a payment
   *
   * With `partyId` and `allocations`: registers the payment of the transaction, dated its booking date, with these allocations, and marks the transaction as matched. What is not allocated stays credit. Needs `receivables:create` for money that was received, `payables:create` for money that was paid.
   *
   * With `paymentId`: marks the transaction as matched with a payment or refund that is registered already, of the same direction, amount and currency, and not matched with another transaction. Nothing is posted.
   *
   * Requires the permission `banking:update`.
   */
  acceptMatch(
    id: string,
    body: Body<'acceptMatch'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'acceptMatch'>> {
    return this.call<OperationResponse<'acceptMatch'>>({
      method: 'POST',
      path: `/api/bank-transactions/${encodeURIComponent(id)}/accept`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Set a bank transaction aside
   *
   * For transactions that settle no document, such as bank fees.
   *
   * Requires the permission `banking:update`.
   */
  ignoreBankTransaction(
    id: string,
    body: Body<'ignoreBankTransaction'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'ignoreBankTransaction'>> {
    return this.call<OperationResponse<'ignoreBankTransaction'>>({
      method: 'POST',
      path: `/api/bank-transactions/${encodeURIComponent(id)}/ignore`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Open a bank transaction again
   *
   * For an ignored transaction, or a matched one whose payment has been voided. A payment that was registered before the match stays as it is.
   *
   * Requires the permission `banking:update`.
   */
  reopenBankTransaction(
    id: string,
    body: Body<'reopenBankTransaction'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'reopenBankTransaction'>> {
    return this.call<OperationResponse<'reopenBankTransaction'>>({
      method: 'POST',
      path: `/api/bank-transactions/${encodeURIComponent(id)}/reopen`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Reject a proposal
   *
   * The transaction does not pay these documents together, or is not this registered payment: the proposal is not made again. Other proposals remain, also those with some of the documents.
   *
   * Requires the permission `banking:update`.
   */
  rejectMatchProposal(
    id: string,
    body: Body<'rejectMatchProposal'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'rejectMatchProposal'>> {
    return this.call<OperationResponse<'rejectMatchProposal'>>({
      method: 'POST',
      path: `/api/bank-transactions/${encodeURIComponent(id)}/proposals/reject`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Make rejected proposals again
   *
   * Requires the permission `banking:update`.
   */
  restoreMatchProposals(
    id: string,
    body: Body<'restoreMatchProposals'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'restoreMatchProposals'>> {
    return this.call<OperationResponse<'restoreMatchProposals'>>({
      method: 'POST',
      path: `/api/bank-transactions/${encodeURIComponent(id)}/proposals/restore`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List leads
   *
   * Requires the permission `crm:read`.
   */
  listLeads(query: Query<'listLeads'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listLeads'>> {
    return this.call<OperationResponse<'listLeads'>>({ method: 'GET', path: '/api/crm/leads', query, options });
  }

  /**
   * Create a lead
   *
   * Requires the permission `crm:create`.
   */
  createLead(body: Body<'createLead'>, options: CallOptions = {}): Promise<OperationResponse<'createLead'>> {
    return this.call<OperationResponse<'createLead'>>({
      method: 'POST',
      path: '/api/crm/leads',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Lead detail
   *
   * Requires the permission `crm:read`.
   */
  getLead(id: string, options: CallOptions = {}): Promise<OperationResponse<'getLead'>> {
    return this.call<OperationResponse<'getLead'>>({
      method: 'GET',
      path: `/api/crm/leads/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a lead
   *
   * Changes the fields that are sent. Setting an open status on a lost lead reopens it. Honours If-Match.
   *
   * Requires the permission `crm:update`.
   */
  updateLead(
    id: string,
    body: Body<'updateLead'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateLead'>> {
    return this.call<OperationResponse<'updateLead'>>({
      method: 'PUT',
      path: `/api/crm/leads/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Mark a lead as lost
   *
   * Requires the permission `crm:update`.
   */
  loseLead(id: string, body: Body<'loseLead'>, options: CallOptions = {}): Promise<OperationResponse<'loseLead'>> {
    return this.call<OperationResponse<'loseLead'>>({
      method: 'POST',
      path: `/api/crm/leads/${encodeURIComponent(id)}/lose`,
      body,
      options,
    });
  }

  /**
   * Convert a lead into a customer and an opportunity
   *
   * Changes the lead and creates the opportunity in one transaction. The customer is the one with `customerId`, or a new one named after the company or the name of the lead, which also requires the permission `customers:create`.
   *
   * Requires the permission `crm:update`.
   */
  convertLead(
    id: string,
    body: Body<'convertLead'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'convertLead'>> {
    return this.call<OperationResponse<'convertLead'>>({
      method: 'POST',
      path: `/api/crm/leads/${encodeURIComponent(id)}/convert`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List opportunities
   *
   * Requires the permission `crm:read`.
   */
  listOpportunities(
    query: Query<'listOpportunities'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listOpportunities'>> {
    return this.call<OperationResponse<'listOpportunities'>>({
      method: 'GET',
      path: '/api/crm/opportunities',
      query,
      options,
    });
  }

  /**
   * Create an opportunity
   *
   * A new opportunity is at the stage `prospecting`.
   *
   * Requires the permission `crm:create`.
   */
  createOpportunity(
    body: Body<'createOpportunity'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'createOpportunity'>> {
    return this.call<OperationResponse<'createOpportunity'>>({
      method: 'POST',
      path: '/api/crm/opportunities',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Opportunity detail
   *
   * Includes every change of stage: when, by whom and why.
   *
   * Requires the permission `crm:read`.
   */
  getOpportunity(id: string, options: CallOptions = {}): Promise<OperationResponse<'getOpportunity'>> {
    return this.call<OperationResponse<'getOpportunity'>>({
      method: 'GET',
      path: `/api/crm/opportunities/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update an opportunity
   *
   * Changes the fields that are sent; the stage is changed by its own operation. A won or lost opportunity keeps `amount`, `currencyCode`, `customerId` and `expectedCloseDate`. Honours If-Match.
   *
   * Requires the permission `crm:update`.
   */
  updateOpportunity(
    id: string,
    body: Body<'updateOpportunity'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateOpportunity'>> {
    return this.call<OperationResponse<'updateOpportunity'>>({
      method: 'PUT',
      path: `/api/crm/opportunities/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Change stage
   *
   * The stages are prospecting → qualified → proposal → negotiation → won. An open opportunity can move forward by one or more stages, back by one stage with a `reason`, or to `lost` with a `lostReason`. Won and lost are final; only administrators (`admin:update`) can reopen the opportunity, with a `reason`. Honours If-Match.
   *
   * Requires the permission `crm:update`.
   */
  changeOpportunityStage(
    id: string,
    body: Body<'changeOpportunityStage'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'changeOpportunityStage'>> {
    return this.call<OperationResponse<'changeOpportunityStage'>>({
      method: 'PUT',
      path: `/api/crm/opportunities/${encodeURIComponent(id)}/stage`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Export a list
   *
   * Writes a list, with the filters of its own route, to a file. Each list requires the permission to read it: `invoices` (`invoices:read`), `invoice-lines` (`invoices:read`), `credit-notes` (`credit-notes:read`), `customers` (`customers:read`), `vendors` (`vendors:read`), `products` (`products:read`), `stock` (`inventory:read`), `stock-ledger` (`inventory:read`), `stock-valuation` (`inventory:read`), `receivables` (`receivables:read`), `receivable-payments` (`receivables:read`), `receivable-entries` (`receivables:read`), `payables` (`payables:read`), `payable-payments` (`payables:read`), `payable-entries` (`payables:read`), `purchase-orders` (`purchase-orders:read`), `journal` (`accounting:read`), `leads` (`crm:read`), `opportunities` (`crm:read`). Answers at once; ask for the export until it is `completed`. `zip-pdf` packs the printed documents of invoices or credit notes, without drafts; an archive of more than 20,000 documents has several files, each an export of its own, listed in `files`. `datev` (posting batch, EXTF) and `saf-t` (OECD 2.0) are formats of `journal` and need `dateFrom` and `dateTo`. What was there when the export began is in it once.
   *
   * Requires the permission `exports:create`.
   */
  createExport(body: Body<'createExport'>, options: CallOptions = {}): Promise<OperationResponse<'createExport'>> {
    return this.call<OperationResponse<'createExport'>>({
      method: 'POST',
      path: '/api/exports',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List exports
   *
   * Exports of the lists that the caller can read.
   *
   * Requires the permission `exports:read`.
   */
  listExports(query: Query<'listExports'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listExports'>> {
    return this.call<OperationResponse<'listExports'>>({ method: 'GET', path: '/api/exports', query, options });
  }

  /**
   * Get the progress of an export and a link to its file
   *
   * Requires the permission `exports:read`.
   */
  getExport(id: string, options: CallOptions = {}): Promise<OperationResponse<'getExport'>> {
    return this.call<OperationResponse<'getExport'>>({
      method: 'GET',
      path: `/api/exports/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Cancel an export
   *
   * Stops the export and removes the parts of its file. Cancelling it again changes nothing.
   *
   * Requires the permission `exports:create`.
   */
  cancelExport(id: string, options: CallOptions = {}): Promise<OperationResponse<'cancelExport'>> {
    return this.call<OperationResponse<'cancelExport'>>({
      method: 'POST',
      path: `/api/exports/${encodeURIComponent(id)}/cancel`,
      idempotent: true,
      options,
    });
  }

  /**
   * Download the file of an export
   *
   * Requires only the signed token of the link in `download`. CSV and JSON are sent with `Content-Encoding: gzip` to clients that accept it.
   *
   * No credential is required.
   */
  downloadExport(
    id: string,
    query: Query<'downloadExport'>,
    options: CallOptions = {},
  ): Promise<FileResponse<operations['downloadExport']>> {
    return this.call<FileResponse<operations['downloadExport']>>({
      method: 'GET',
      path: `/api/exports/${encodeURIComponent(id)}/file`,
      query,
      isFile: true,
      options,
    });
  }

  /**
   * Get the company
   *
   * Requires the permission `config:read`.
   */
  getCompany(options: CallOptions = {}): Promise<OperationResponse<'getCompany'>> {
    return this.call<OperationResponse<'getCompany'>>({ method: 'GET', path: '/api/config/company', options });
  }

  /**
   * Update the company
   *
   * Changes the fields that are sent. Issued documents do not change. Read-only fields may be sent back unchanged. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  updateCompany(
    body: Body<'updateCompany'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateCompany'>> {
    return this.call<OperationResponse<'updateCompany'>>({ method: 'PUT', path: '/api/config/company', body, options });
  }

  /**
   * Print a sample invoice with changed settings
   *
   * The PDF of a sample invoice as it would look after `PUT /api/config/company` with the same body, with the stamp "Draft". Nothing is changed. The response waits for the file at most 25 s; it is deleted after about a day.
   *
   * Requires the permission `config:read`.
   */
  previewCompany(
    body: Body<'previewCompany'> = {},
    options: CallOptions = {},
  ): Promise<FileResponse<operations['previewCompany']>> {
    return this.call<FileResponse<operations['previewCompany']>>({
      method: 'POST',
      path: '/api/config/company/preview',
      body,
      isFile: true,
      options,
    });
  }

  /**
   * Check the company for mandatory details
   *
   * Lists the details that the law of the company’s country requires on every invoice and the company lacks. With `completenessChecks` on, invoices are rejected until they are supplied.
   *
   * Requires the permission `config:read`.
   */
  getCompanyCompleteness(options: CallOptions = {}): Promise<OperationResponse<'getCompanyCompleteness'>> {
    return this.call<OperationResponse<'getCompanyCompleteness'>>({
      method: 'GET',
      path: '/api/config/company/completeness',
      options,
    });
  }

  /**
   * Get the logo
   *
   * Requires the permission `config:read`.
   */
  getCompanyLogo(options: CallOptions = {}): Promise<FileResponse<operations['getCompanyLogo']>> {
    return this.call<FileResponse<operations['getCompanyLogo']>>({
      method: 'GET',
      path: '/api/config/company/logo',
      isFile: true,
      options,
    });
  }

  /**
   * Set the logo
   *
   * The logo is printed on documents that are issued from now on; issued documents keep theirs. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  setCompanyLogo(
    body: Body<'setCompanyLogo'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'setCompanyLogo'>> {
    return this.call<OperationResponse<'setCompanyLogo'>>({
      method: 'PUT',
      path: '/api/config/company/logo',
      body,
      files: ['logo'],
      options,
    });
  }

  /**
   * Remove the logo
   *
   * Requires the permission `config:update`.
   */
  removeCompanyLogo(options: CallOptions = {}): Promise<OperationResponse<'removeCompanyLogo'>> {
    return this.call<OperationResponse<'removeCompanyLogo'>>({
      method: 'DELETE',
      path: '/api/config/company/logo',
      options,
    });
  }

  /**
   * List currencies
   *
   * Requires the permission `config:read`.
   */
  listCurrencies(
    query: Query<'listCurrencies'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listCurrencies'>> {
    return this.call<OperationResponse<'listCurrencies'>>({
      method: 'GET',
      path: '/api/config/currencies',
      query,
      options,
    });
  }

  /**
   * Add a currency
   *
   * Recording the first exchange rate of a currency also adds the currency.
   *
   * Requires the permission `config:update`.
   */
  addCurrency(body: Body<'addCurrency'>, options: CallOptions = {}): Promise<OperationResponse<'addCurrency'>> {
    return this.call<OperationResponse<'addCurrency'>>({
      method: 'POST',
      path: '/api/config/currencies',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Currency detail
   *
   * Requires the permission `config:read`.
   */
  getCurrency(id: string, options: CallOptions = {}): Promise<OperationResponse<'getCurrency'>> {
    return this.call<OperationResponse<'getCurrency'>>({
      method: 'GET',
      path: `/api/config/currencies/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Activate or deactivate a currency
   *
   * An inactive currency accepts no new exchange rates and cannot be used in new documents. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  updateCurrency(
    id: string,
    body: Body<'updateCurrency'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateCurrency'>> {
    return this.call<OperationResponse<'updateCurrency'>>({
      method: 'PUT',
      path: `/api/config/currencies/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * List exchange rates
   *
   * Newest first. `dateFrom` and `dateTo` filter by the day of the rate.
   *
   * Requires the permission `config:read`.
   */
  listExchangeRates(
    query: Query<'listExchangeRates'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listExchangeRates'>> {
    return this.call<OperationResponse<'listExchangeRates'>>({
      method: 'GET',
      path: '/api/config/exchange-rates',
      query,
      options,
    });
  }

  /**
   * Record an exchange rate
   *
   * Records the units of base currency per 1 unit of the currency from a day on. A currency that the company does not have yet is added.
   *
   * Requires the permission `config:update`.
   */
  addExchangeRate(
    body: Body<'addExchangeRate'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'addExchangeRate'>> {
    return this.call<OperationResponse<'addExchangeRate'>>({
      method: 'POST',
      path: '/api/config/exchange-rates',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Exchange rate detail
   *
   * Requires the permission `config:read`.
   */
  getExchangeRate(id: string, options: CallOptions = {}): Promise<OperationResponse<'getExchangeRate'>> {
    return this.call<OperationResponse<'getExchangeRate'>>({
      method: 'GET',
      path: `/api/config/exchange-rates/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Correct an exchange rate
   *
   * Applies to documents issued from now on; documents issued before keep the rate they were issued with. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  correctExchangeRate(
    id: string,
    body: Body<'correctExchangeRate'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'correctExchangeRate'>> {
    return this.call<OperationResponse<'correctExchangeRate'>>({
      method: 'PUT',
      path: `/api/config/exchange-rates/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * List tax rates
   *
   * Requires the permission `config:read`.
   */
  listTaxRates(
    query: Query<'listTaxRates'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listTaxRates'>> {
    return this.call<OperationResponse<'listTaxRates'>>({
      method: 'GET',
      path: '/api/config/tax-rates',
      query,
      options,
    });
  }

  /**
   * Create a tax rate
   *
   * Requires the permission `config:update`.
   */
  createTaxRate(body: Body<'createTaxRate'>, options: CallOptions = {}): Promise<OperationResponse<'createTaxRate'>> {
    return this.call<OperationResponse<'createTaxRate'>>({
      method: 'POST',
      path: '/api/config/tax-rates',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Tax rate detail
   *
   * Requires the permission `config:read`.
   */
  getTaxRate(id: string, options: CallOptions = {}): Promise<OperationResponse<'getTaxRate'>> {
    return this.call<OperationResponse<'getTaxRate'>>({
      method: 'GET',
      path: `/api/config/tax-rates/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a tax rate
   *
   * Changes the fields that are sent. The percentage and category of a rate cannot change once a document has been issued with it: create a new rate, then set `validTo` and `successorId` of the old one. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  updateTaxRate(
    id: string,
    body: Body<'updateTaxRate'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateTaxRate'>> {
    return this.call<OperationResponse<'updateTaxRate'>>({
      method: 'PUT',
      path: `/api/config/tax-rates/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * List the tax sets of countries
   *
   * The rates that each set creates, in English. Check them before the first invoice: rates change.
   *
   * Requires the permission `config:read`.
   */
  listTaxSets(options: CallOptions = {}): Promise<OperationResponse<'listTaxSets'>> {
    return this.call<OperationResponse<'listTaxSets'>>({ method: 'GET', path: '/api/config/tax-sets', options });
  }

  /**
   * Choose the tax rates of a country
   *
   * Creates the rates of the country that the company does not have yet: domestic rates and those of supplies abroad, with names and exemption reasons in every language of documents. The first becomes the default of the company. Sent again, it creates nothing.
   *
   * Requires the permission `config:update`.
   */
  applyTaxSet(body: Body<'applyTaxSet'> = {}, options: CallOptions = {}): Promise<OperationResponse<'applyTaxSet'>> {
    return this.call<OperationResponse<'applyTaxSet'>>({ method: 'POST', path: '/api/config/tax-sets', body, options });
  }

  /**
   * List series of document numbers
   *
   * Requires the permission `config:read`.
   */
  listDocumentSeries(
    query: Query<'listDocumentSeries'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listDocumentSeries'>> {
    return this.call<OperationResponse<'listDocumentSeries'>>({
      method: 'GET',
      path: '/api/config/document-series',
      query,
      options,
    });
  }

  /**
   * Create a series of document numbers
   *
   * The numbers of a series start at 1 each year and have no gaps.
   *
   * Requires the permission `config:update`.
   */
  createDocumentSeries(
    body: Body<'createDocumentSeries'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'createDocumentSeries'>> {
    return this.call<OperationResponse<'createDocumentSeries'>>({
      method: 'POST',
      path: '/api/config/document-series',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Series detail
   *
   * Requires the permission `config:read`.
   */
  getDocumentSeries(id: string, options: CallOptions = {}): Promise<OperationResponse<'getDocumentSeries'>> {
    return this.call<OperationResponse<'getDocumentSeries'>>({
      method: 'GET',
      path: `/api/config/document-series/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Activate or deactivate a series
   *
   * An inactive series numbers no new documents; existing documents keep their numbers. Honours If-Match.
   *
   * Requires the permission `config:update`.
   */
  updateDocumentSeries(
    id: string,
    body: Body<'updateDocumentSeries'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateDocumentSeries'>> {
    return this.call<OperationResponse<'updateDocumentSeries'>>({
      method: 'PUT',
      path: `/api/config/document-series/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Get the period lock
   *
   * Requires the permission `config:read`.
   */
  getPeriodLock(options: CallOptions = {}): Promise<OperationResponse<'getPeriodLock'>> {
    return this.call<OperationResponse<'getPeriodLock'>>({ method: 'GET', path: '/api/config/period-lock', options });
  }

  /**
   * Set or move the period lock
   *
   * A posting dated on or before the day is rejected with `period_locked`. An earlier day or null reopens days and requires a reason. Every change is recorded in the audit log with its author and reason. Honours If-Match.
   *
   * Requires the permission `config:lock`.
   */
  setPeriodLock(body: Body<'setPeriodLock'>, options: CallOptions = {}): Promise<OperationResponse<'setPeriodLock'>> {
    return this.call<OperationResponse<'setPeriodLock'>>({
      method: 'PUT',
      path: '/api/config/period-lock',
      body,
      options,
    });
  }

  /**
   * List users
   *
   * Requires the permission `admin:read`.
   */
  listUsers(query: Query<'listUsers'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listUsers'>> {
    return this.call<OperationResponse<'listUsers'>>({ method: 'GET', path: '/api/admin/users', query, options });
  }

  /**
   * Create a user
   *
   * The credential must have every permission, because an account can be given any role, and must not be an API key with `allowedIps` or `expiresAt` or one that another key created, because accounts do not have its limits. A user needs a role in at least one API.
   *
   * Requires the permission `admin:update`.
   */
  createUser(body: Body<'createUser'>, options: CallOptions = {}): Promise<OperationResponse<'createUser'>> {
    return this.call<OperationResponse<'createUser'>>({
      method: 'POST',
      path: '/api/admin/users',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * User detail
   *
   * Requires the permission `admin:read`.
   */
  getUser(id: string, options: CallOptions = {}): Promise<OperationResponse<'getUser'>> {
    return this.call<OperationResponse<'getUser'>>({
      method: 'GET',
      path: `/api/admin/users/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update, activate or deactivate a user
   *
   * A deactivated user is signed out of every session immediately. The credential must have every permission, because an account can be given any role, and must not be an API key with `allowedIps` or `expiresAt` or one that another key created, because accounts do not have its limits. A user needs a role in at least one API. Honours If-Match.
   *
   * Requires the permission `admin:update`.
   */
  updateUser(
    id: string,
    body: Body<'updateUser'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateUser'>> {
    return this.call<OperationResponse<'updateUser'>>({
      method: 'PUT',
      path: `/api/admin/users/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Reset the password of a user
   *
   * Sets a new password and ends every session of another user; for the own one use `changePassword`. A generated one is temporary: it can be used for 24 hours and must be changed before anything else (403 `password_change_required`). Failed sign-in attempts are forgotten, unless another organisation has an account with the same email address. The credential must have every permission, because an account can be given any role, and must not be an API key with `allowedIps` or `expiresAt` or one that another key created, because accounts do not have its limits. A user needs a role in at least one API.
   *
   * Requires the permission `admin:update`.
   */
  resetUserPassword(
    id: string,
    body: Body<'resetUserPassword'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'resetUserPassword'>> {
    return this.call<OperationResponse<'resetUserPassword'>>({
      method: 'POST',
      path: `/api/admin/users/${encodeURIComponent(id)}/reset-password`,
      body,
      options,
    });
  }

  /**
   * List the sessions of a user
   *
   * Sessions in both APIs that have not ended, most recently used first.
   *
   * Requires the permission `admin:read`.
   */
  listUserSessions(id: string, options: CallOptions = {}): Promise<OperationResponse<'listUserSessions'>> {
    return this.call<OperationResponse<'listUserSessions'>>({
      method: 'GET',
      path: `/api/admin/users/${encodeURIComponent(id)}/sessions`,
      options,
    });
  }

  /**
   * End a session of a user
   *
   * The session ends immediately on every replica.
   *
   * Requires the permission `admin:update`.
   */
  endUserSession(
    id: string,
    sessionId: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'endUserSession'>> {
    return this.call<OperationResponse<'endUserSession'>>({
      method: 'DELETE',
      path: `/api/admin/users/${encodeURIComponent(id)}/sessions/${encodeURIComponent(sessionId)}`,
      options,
    });
  }

  /**
   * Get the sign-in policy of the organisation
   *
   * Requires the permission `admin:read`.
   */
  getSignInPolicy(options: CallOptions = {}): Promise<OperationResponse<'getSignInPolicy'>> {
    return this.call<OperationResponse<'getSignInPolicy'>>({
      method: 'GET',
      path: '/api/admin/sign-in-policy',
      options,
    });
  }

  /**
   * Change the sign-in policy of the organisation
   *
   * Where a second factor is required, users without one can only enrol one (403 `second_factor_enrolment_required` for every other request), also in sessions that are open already. API keys are not affected. The credential must have every permission, and must not be a limited API key, as for a reset of the password.
   *
   * Requires the permission `admin:update`.
   */
  updateSignInPolicy(
    body: Body<'updateSignInPolicy'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateSignInPolicy'>> {
    return this.call<OperationResponse<'updateSignInPolicy'>>({
      method: 'PUT',
      path: '/api/admin/sign-in-policy',
      body,
      options,
    });
  }

  /**
   * Remove the second factor of a user
   *
   * For other users who have lost both the authenticator app and the recovery codes; for the own one use `removeSecondFactor`. The credential must have every permission, and must not be a limited API key, as for a reset of the password.
   *
   * Requires the permission `admin:update`.
   */
  removeUserSecondFactor(id: string, options: CallOptions = {}): Promise<OperationResponse<'removeUserSecondFactor'>> {
    return this.call<OperationResponse<'removeUserSecondFactor'>>({
      method: 'DELETE',
      path: `/api/admin/users/${encodeURIComponent(id)}/second-factor`,
      options,
    });
  }

  /**
   * Create an API key
   *
   * The value of the key is returned only in this response and stored only as a hash. A key can only create keys with a subset of its own permissions, addresses and lifetime. A key ends when its creator, a user or a key, is deactivated or revoked.
   *
   * Requires the permission `admin:update`.
   */
  createApiKey(body: Body<'createApiKey'>, options: CallOptions = {}): Promise<OperationResponse<'createApiKey'>> {
    return this.call<OperationResponse<'createApiKey'>>({
      method: 'POST',
      path: '/api/admin/api-keys',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List API keys
   *
   * Newest first. Revoked keys are included.
   *
   * Requires the permission `admin:read`.
   */
  listApiKeys(query: Query<'listApiKeys'> = {}, options: CallOptions = {}): Promise<OperationResponse<'listApiKeys'>> {
    return this.call<OperationResponse<'listApiKeys'>>({ method: 'GET', path: '/api/admin/api-keys', query, options });
  }

  /**
   * Revoke an API key
   *
   * Takes effect immediately on every replica and cannot be undone. Revoking a key again changes nothing.
   *
   * Requires the permission `admin:update`.
   */
  revokeApiKey(id: string, options: CallOptions = {}): Promise<OperationResponse<'revokeApiKey'>> {
    return this.call<OperationResponse<'revokeApiKey'>>({
      method: 'DELETE',
      path: `/api/admin/api-keys/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Verify the chain of the audit log
   *
   * The hash of every row of the organisation covers the contents of the row and the hash of the row before it. New rows are sealed within a minute, and the end of the chain is signed once a day. One request verifies up to `limit` rows starting at `from`; repeat it with `nextFrom` until that is null.
   *
   * Requires the permission `admin:read`.
   */
  verifyAuditLog(
    query: Query<'verifyAuditLog'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'verifyAuditLog'>> {
    return this.call<OperationResponse<'verifyAuditLog'>>({
      method: 'GET',
      path: '/api/admin/audit-log/verify',
      query,
      options,
    });
  }

  /**
   * List the audit log
   *
   * Who did what, newest first. Entries contain ids and names of fields, never values. `dateFrom` and `dateTo` filter by time; every word of `search` must be a prefix of the action, the subject or the actor. `actor` accepts the id of a user in the list of users, too.
   *
   * Requires the permission `admin:read`.
   */
  listAuditLog(
    query: Query<'listAuditLog'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listAuditLog'>> {
    return this.call<OperationResponse<'listAuditLog'>>({
      method: 'GET',
      path: '/api/admin/audit-log',
      query,
      options,
    });
  }

  /**
   * Get the results of the latest consistency check
   *
   * Results of the latest check of the records of the company: balances against ledgers, receivables and payables against documents, document numbers against their counters. A Schedule runs the check every six hours.
   *
   * Requires the permission `admin:read`.
   */
  getInvariants(options: CallOptions = {}): Promise<OperationResponse<'getInvariants'>> {
    return this.call<OperationResponse<'getInvariants'>>({ method: 'GET', path: '/api/admin/invariants', options });
  }

  /**
   * Check the invariants now
   *
   * Starts a check, unless one is running already, and waits up to 25 seconds for its end. If it takes longer, `running` is true and the results can be read later.
   *
   * Requires the permission `admin:update`.
   */
  checkInvariants(options: CallOptions = {}): Promise<OperationResponse<'checkInvariants'>> {
    return this.call<OperationResponse<'checkInvariants'>>({ method: 'POST', path: '/api/admin/invariants', options });
  }

  /**
   * Register a webhook
   *
   * Events are posted as `{type, mode, timestamp, data}`, signed according to the Standard Webhooks specification. The secret is returned only in this response. Both APIs share their live webhooks.
   *
   * Requires the permission `admin:update`.
   */
  createWebhook(body: Body<'createWebhook'>, options: CallOptions = {}): Promise<OperationResponse<'createWebhook'>> {
    return this.call<OperationResponse<'createWebhook'>>({
      method: 'POST',
      path: '/api/admin/webhooks',
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * List webhooks
   *
   * Requires the permission `admin:read`.
   */
  listWebhooks(
    query: Query<'listWebhooks'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listWebhooks'>> {
    return this.call<OperationResponse<'listWebhooks'>>({ method: 'GET', path: '/api/admin/webhooks', query, options });
  }

  /**
   * Webhook detail
   *
   * Requires the permission `admin:read`.
   */
  getWebhook(id: string, options: CallOptions = {}): Promise<OperationResponse<'getWebhook'>> {
    return this.call<OperationResponse<'getWebhook'>>({
      method: 'GET',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Update a webhook
   *
   * Changes the fields that are sent; `events` replaces the whole list. Pending deliveries go to the new URL from their next attempt. The secret stays. Honours If-Match.
   *
   * Requires the permission `admin:update`.
   */
  updateWebhook(
    id: string,
    body: Body<'updateWebhook'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'updateWebhook'>> {
    return this.call<OperationResponse<'updateWebhook'>>({
      method: 'PUT',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}`,
      body,
      options,
    });
  }

  /**
   * Delete a webhook
   *
   * Destroys the secret immediately and ends the deliveries in progress.
   *
   * Requires the permission `admin:update`.
   */
  deleteWebhook(id: string, options: CallOptions = {}): Promise<OperationResponse<'deleteWebhook'>> {
    return this.call<OperationResponse<'deleteWebhook'>>({
      method: 'DELETE',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}`,
      options,
    });
  }

  /**
   * Send a test delivery
   *
   * Sends `webhook.test` to this webhook only, signed and retried like any other event.
   *
   * Requires the permission `admin:update`.
   */
  testWebhook(id: string, options: CallOptions = {}): Promise<OperationResponse<'testWebhook'>> {
    return this.call<OperationResponse<'testWebhook'>>({
      method: 'POST',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}/test`,
      options,
    });
  }

  /**
   * List the deliveries of a webhook
   *
   * Newest first, with every attempt. Deliveries are kept for 90 days.
   *
   * Requires the permission `admin:read`.
   */
  listWebhookDeliveries(
    id: string,
    query: Query<'listWebhookDeliveries'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'listWebhookDeliveries'>> {
    return this.call<OperationResponse<'listWebhookDeliveries'>>({
      method: 'GET',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}/deliveries`,
      query,
      options,
    });
  }

  /**
   * Get a delivery with its request
   *
   * The delivery with every attempt and its response, and the request that the attempts send.
   *
   * Requires the permission `admin:read`.
   */
  getWebhookDelivery(
    id: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'getWebhookDelivery'>> {
    return this.call<OperationResponse<'getWebhookDelivery'>>({
      method: 'GET',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}`,
      options,
    });
  }

  /**
   * Rotate the secret of a webhook
   *
   * The new secret is returned only in this response. During the overlap, deliveries are signed with both secrets.
   *
   * Requires the permission `admin:update`.
   */
  rotateWebhookSecret(
    id: string,
    body: Body<'rotateWebhookSecret'> = {},
    options: CallOptions = {},
  ): Promise<OperationResponse<'rotateWebhookSecret'>> {
    return this.call<OperationResponse<'rotateWebhookSecret'>>({
      method: 'POST',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}/rotate`,
      body,
      idempotent: true,
      options,
    });
  }

  /**
   * Resend missed events
   *
   * Resends every subscribed event since a time that was not delivered, and enables the webhook if it is disabled. Events keep their `webhook-id`.
   *
   * Requires the permission `admin:update`.
   */
  recoverWebhook(
    id: string,
    body: Body<'recoverWebhook'>,
    options: CallOptions = {},
  ): Promise<OperationResponse<'recoverWebhook'>> {
    return this.call<OperationResponse<'recoverWebhook'>>({
      method: 'POST',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}/recover`,
      body,
      options,
    });
  }

  /**
   * Resend an event
   *
   * Creates a new delivery with the same `webhook-id`, which is attempted immediately, whether or not the event was delivered before.
   *
   * Requires the permission `admin:update`.
   */
  resendWebhookDelivery(
    id: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<OperationResponse<'resendWebhookDelivery'>> {
    return this.call<OperationResponse<'resendWebhookDelivery'>>({
      method: 'POST',
      path: `/api/admin/webhooks/${encodeURIComponent(id)}/deliveries/${encodeURIComponent(deliveryId)}/resend`,
      options,
    });
  }

  /**
   * First-run checklist of business management
   *
   * The steps from an empty company to an issued and paid invoice. A step is done as long as a record proves it; steps whose records the caller cannot read are left out.
   *
   * Any valid credential is accepted.
   */
  getBusinessSetup(options: CallOptions = {}): Promise<OperationResponse<'getBusinessSetup'>> {
    return this.call<OperationResponse<'getBusinessSetup'>>({ method: 'GET', path: '/api/setup', options });
  }
}
