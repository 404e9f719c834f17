import type { TaxCategory } from '../settings/tax-rates';

export const ACCOUNT_TYPES = ['asset', 'liability', 'equity', 'income', 'expense'] as const;
export type AccountType = (typeof ACCOUNT_TYPES)[number];

/** An account of the general ledger. */
export interface Account {
  /** Digits only, so that it sorts and can be exported to any accounting program. */
  number: string;
  name: string;
}

/**
 * What an account is used for by the journal, with the type of the account. Revenue, purchases and taxes have accounts
 * per tax category instead; see {@link TaxAccounts}.
 */
export const ACCOUNT_PURPOSES = {
  receivables: 'asset',
  bank: 'asset',
  cash: 'asset',
  inventory: 'asset',
  goods_received: 'asset',
  pending_input_tax: 'asset',
  payables: 'liability',
  customer_deposits: 'liability',
  pending_output_tax: 'liability',
  unbilled_payables: 'liability',
  opening_balance: 'equity',
  exchange_gains: 'income',
  exchange_losses: 'expense',
  cost_of_goods: 'expense',
  inventory_differences: 'expense',
  purchase_differences: 'expense',
  discounts_granted: 'income',
  write_offs: 'expense',
  write_off_gains: 'income',
} as const satisfies Record<string, AccountType>;
export type AccountPurpose = keyof typeof ACCOUNT_PURPOSES;

export const ACCOUNT_PURPOSE_NAMES: readonly AccountPurpose[] = Object.keys(ACCOUNT_PURPOSES).filter(
  (name): name is AccountPurpose => name in ACCOUNT_PURPOSES,
);

/** Tax for which the buyer is liable instead of the seller: charged and deducted in one entry. */
export interface SelfAssessedTax {
  /** Percentage of the net amount, such as `19`. */
  percent: string;
  outputTax: Account;
  inputTax: Account;
}

/** The accounts and DATEV keys of one tax category and percentage. */
export interface TaxAccounts {
  category: TaxCategory;
  /** Percentage in its shortest form, such as `19`; null for every percentage without accounts of its own. */
  percent: string | null;
  revenue: Account;
  /** Discounts for early payment that were granted; absent: the account of the purpose `discounts_granted`. */
  discounts?: Account | null;
  /** Null in categories without tax. */
  outputTax: Account | null;
  purchases: Account;
  inputTax: Account | null;
  /** Tax on purchases for which the buyer is liable; null if the seller is. */
  selfAssessed: SelfAssessedTax | null;
  datev: {
    /** Whether DATEV computes the tax of `revenue` from the account itself, so that gross amounts are exported. */
    automaticRevenue: boolean;
    /** Tax key of purchases, with which gross amounts are exported; null: net and tax are exported separately. */
    purchaseKey: string | null;
  };
}

/** The accounts that the journal uses. */
export interface Chart {
  accounts: Record<AccountPurpose, Account>;
  taxes: TaxAccounts[];
}

export const CHART_PRESETS = ['skr03', 'skr04', 'generic'] as const;
export type ChartPreset = (typeof CHART_PRESETS)[number];

/** The accounts of a tax: those of its percentage, else those for every percentage of its category. */
export function findTaxAccounts(chart: Chart, category: TaxCategory, percent: string): TaxAccounts {
  const ofCategory = chart.taxes.filter((taxes) => taxes.category === category);
  const found =
    ofCategory.find((taxes) => taxes.percent === percent) ?? ofCategory.find((taxes) => taxes.percent === null);
  if (found === undefined) throw new RangeError(`the chart has no accounts for tax category ${category}`);
  return found;
}

/** An account of the chart with its type. */
export interface ChartAccount extends Account {
  type: AccountType;
}

/** Every account of a chart, each once, sorted by number. */
export function listChartAccounts({ accounts, taxes }: Chart): ChartAccount[] {
  const found = new Map<string, ChartAccount>();
  const add = (account: Account | null | undefined, type: AccountType): void => {
    if (account && !found.has(account.number)) found.set(account.number, { ...account, type });
  };
  for (const purpose of ACCOUNT_PURPOSE_NAMES) add(accounts[purpose], ACCOUNT_PURPOSES[purpose]);
  for (const tax of taxes) {
    add(tax.revenue, 'income');
    add(tax.discounts, 'income');
    add(tax.outputTax, 'liability');
    add(tax.purchases, 'expense');
    add(tax.inputTax, 'asset');
    add(tax.selfAssessed?.outputTax, 'liability');
    add(tax.selfAssessed?.inputTax, 'asset');
  }
  return [...found.values()].sort((a, b) => (a.number < b.number ? -1 : 1));
}
