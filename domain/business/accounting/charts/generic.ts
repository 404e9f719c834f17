import { TAX_CATEGORIES } from '../../settings/tax-rates';
import type { Account, Chart, TaxAccounts } from '../accounts';

const account = (number: string, name: string): Account => ({ number, name });

const UNTAXED_REVENUE = {
  Z: account('4010', 'Sales, zero-rated'),
  E: account('4020', 'Sales, exempt'),
  AE: account('4030', 'Sales, reverse charge'),
  K: account('4040', 'Sales, intra-community'),
  G: account('4050', 'Sales, export'),
  O: account('4060', 'Sales, outside the scope of tax'),
} as const;

const isUntaxed = (category: TaxAccounts['category']): category is keyof typeof UNTAXED_REVENUE =>
  category in UNTAXED_REVENUE;

/** A chart without a national standard; the company sets the numbers of its own chart. */
export const GENERIC: Chart = {
  accounts: {
    receivables: account('1100', 'Accounts receivable'),
    bank: account('1010', 'Bank'),
    cash: account('1000', 'Cash'),
    inventory: account('1200', 'Inventory'),
    goods_received: account('1250', 'Goods received, clearing'),
    pending_input_tax: account('1310', 'Input tax of goods that are not billed'),
    payables: account('2000', 'Accounts payable'),
    customer_deposits: account('2300', 'Deposits of customers'),
    pending_output_tax: account('2310', 'Output tax that is not due'),
    unbilled_payables: account('2010', 'Goods received that are not billed'),
    opening_balance: account('3000', 'Opening balances'),
    exchange_gains: account('7000', 'Exchange gains'),
    exchange_losses: account('7010', 'Exchange losses'),
    cost_of_goods: account('5000', 'Cost of goods sold'),
    inventory_differences: account('5100', 'Inventory adjustments'),
    purchase_differences: account('5200', 'Purchase price differences'),
    discounts_granted: account('4900', 'Discounts granted'),
    write_offs: account('6000', 'Small differences written off'),
    write_off_gains: account('7020', 'Gains from small differences'),
  },
  taxes: TAX_CATEGORIES.map((category) => ({
    category,
    percent: null,
    revenue: isUntaxed(category) ? UNTAXED_REVENUE[category] : account('4000', 'Sales'),
    outputTax: isUntaxed(category) ? null : account('2200', 'Output tax'),
    purchases: account('5300', 'Purchases'),
    inputTax: isUntaxed(category) ? null : account('1300', 'Input tax'),
    selfAssessed: null,
    datev: { automaticRevenue: false, purchaseKey: null },
  })),
};
