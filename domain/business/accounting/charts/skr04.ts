import { buildGermanChart } from './german-chart';

/** DATEV Standardkontenrahmen 04 (by the structure of annual accounts). */
export const SKR04 = buildGermanChart({
  accounts: {
    receivables: '1200',
    bank: '1800',
    cash: '1600',
    inventory: '1140',
    goods_received: '3620',
    pending_input_tax: '1434',
    payables: '3300',
    customer_deposits: '3250',
    unbilled_payables: '3310',
    opening_balance: '9000',
    exchange_gains: '4840',
    exchange_losses: '6880',
    cost_of_goods: '5881',
    inventory_differences: '5880',
    purchase_differences: '5200',
    discounts_granted: '4730',
    write_offs: '6930',
    write_off_gains: '4839',
  },
  revenue: { standard: '4400', reduced: '4300', other: '4200', exempt: '4100', export: '4120', community: '4125' },
  reverseChargeRevenue: '4337',
  discounts: { standard: '4736', reduced: '4731' },
  zeroRatedRevenue: '4290',
  outputTax: { standard: '3806', reduced: '3801', other: '3800' },
  inputTax: { standard: '1406', reduced: '1401', other: '1400' },
  purchases: '5200',
  community: { outputTax: '3804', inputTax: '1404' },
  reverseCharge: { outputTax: '3837', inputTax: '1407' },
});
