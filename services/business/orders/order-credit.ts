import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { round } from '../../../domain/business/decimal';
import { invalidFieldError } from '../../../domain/errors';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { SalesOrderRecord } from '../../../models/business/orders/sales-order';
import { Customer } from '../../../models/business/parties/customer';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { requireCreditFor } from '../payments/party-balances';
import { getCompanyToday } from '../settings/company';
import { findExchangeRate } from '../settings/document-rates';

/**
 * Checks that an order fits in the credit limit of its customer, at the exchange rate of today, before goods are reserved
 * that could not be invoiced.
 * @throws AppError 400 without an exchange rate; 409 `credit_limit_exceeded`
 */
export async function requireOrderCredit(
  unit: UnitOfWork,
  caller: BusinessCaller,
  { customerId, currencyCode, grandTotal }: SalesOrderRecord,
): Promise<void> {
  const { organisationId, company } = caller;
  const customer = await Customer.findOne({ organisationId, id: customerId }, { creditLimit: 1 })
    .session(unit.mongoSession)
    .lean<Pick<CustomerRecord, 'creditLimit'>>();
  if (customer?.creditLimit == null) return;
  const rate = await findExchangeRate(caller, currencyCode, getCompanyToday(unit.platform, caller));
  if ('problem' in rate) throw invalidFieldError('currencyCode', rate.problem);
  const amount = round(fromDecimal128(grandTotal).times(rate), getCurrencyDecimals(company.baseCurrencyCode));
  const party = { organisationId, side: 'receivable', partyId: customerId } as const;
  await requireCreditFor(unit, party, amount, fromDecimal128(customer.creditLimit));
}
