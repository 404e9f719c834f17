import { buildGermanChart } from './german-chart';

/** DATEV Standardkontenrahmen 03 (by processes). */
export const SKR03 = buildGermanChart({
  accounts: {
    receivables: '1400',
    bank: '1200',
    cash: '1000',
    inventory: '3980',
    goods_received: '1792',
    pending_input_tax: '1548',
    payables: '1600',
    customer_deposits: '1710',
    unbilled_payables: '1610',
    opening_balance: '9000',
    exchange_gains: '2660',
    exchange_losses: '2150',
    cost_of_goods: '3950',
    inventory_differences: '3960',
    purchase_differences: '3200',
    discounts_granted: '8730',
    write_offs: '2400',
    write_off_gains: '2709',
  },
  revenue: { standard: '8400', reduced: '8300', other: '8200', exempt: '8100', export: '8120', community: '8125' },
  reverseChargeRevenue: '8337',
  discounts: { standard: '8736', reduced: '8731' },
  zeroRatedRevenue: '8290',
  outputTax: { standard: '1776', reduced: '1771', other: '1770' },
  inputTax: { standard: '1576', reduced: '1571', other: '1570' },
  purchases: '3200',
  community: { outputTax: '1774', inputTax: '1574' },
  reverseCharge: { outputTax: '1787', inputTax: '1577' },
});
