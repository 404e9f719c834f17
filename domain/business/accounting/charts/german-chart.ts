import type { Account, AccountPurpose, Chart, TaxAccounts } from '../accounts';

/** Numbers of the accounts in which SKR03 and SKR04 differ. */
export interface GermanNumbers {
  accounts: Record<AccountPurpose, string>;
  revenue: { standard: string; reduced: string; other: string; exempt: string; export: string; community: string };
  reverseChargeRevenue: string;
  discounts: { standard: string; reduced: string };
  zeroRatedRevenue: string;
  outputTax: { standard: string; reduced: string; other: string };
  inputTax: { standard: string; reduced: string; other: string };
  purchases: string;
  community: { outputTax: string; inputTax: string };
  reverseCharge: { outputTax: string; inputTax: string };
}

const NAMES: Record<AccountPurpose, string> = {
  receivables: 'Forderungen aus Lieferungen und Leistungen',
  bank: 'Bank',
  cash: 'Kasse',
  inventory: 'Waren (Bestand)',
  goods_received: 'Sonstige Verrechnungskonten (Interimskonto)',
  pending_input_tax: 'Vorsteuer in Folgeperiode/im Folgejahr abziehbar',
  payables: 'Verbindlichkeiten aus Lieferungen und Leistungen',
  customer_deposits: 'Erhaltene Anzahlungen auf Bestellungen',
  pending_output_tax: 'Umsatzsteuer nicht fällig',
  unbilled_payables: 'Verbindlichkeiten aus Lieferungen und Leistungen ohne Kontokorrent',
  opening_balance: 'Saldenvorträge Sachkonten',
  exchange_gains: 'Erträge aus der Währungsumrechnung',
  exchange_losses: 'Aufwendungen aus der Währungsumrechnung',
  cost_of_goods: 'Bestandsveränderungen Waren',
  inventory_differences: 'Bestandsveränderungen RHB sowie bezogene Waren',
  purchase_differences: 'Wareneingang',
  discounts_granted: 'Gewährte Skonti',
  write_offs: 'Forderungsverluste (übliche Höhe)',
  write_off_gains: 'Sonstige Erträge unregelmäßig',
};

const STANDARD_PERCENT = '19';
const REDUCED_PERCENT = '7';

const account = (number: string, name: string): Account => ({ number, name });

/** Accounts of a category without tax. */
const buildUntaxed = (
  category: TaxAccounts['category'],
  revenue: Account,
  purchases: Account,
  datev: { purchaseKey: string; selfAssessed: TaxAccounts['selfAssessed'] } | null = null,
): TaxAccounts => ({
  category,
  percent: null,
  revenue,
  outputTax: null,
  purchases,
  inputTax: null,
  selfAssessed: datev?.selfAssessed ?? null,
  datev: { automaticRevenue: true, purchaseKey: datev?.purchaseKey ?? null },
});

/** Accounts of the percentages that have their own. */
const buildTaxed = (
  { revenue, discounts, outputTax, inputTax }: GermanNumbers,
  percent: string,
  kind: 'standard' | 'reduced',
  purchases: Account,
  purchaseKey: string,
): TaxAccounts => ({
  category: 'S',
  percent,
  revenue: account(revenue[kind], `Erlöse ${percent} % USt`),
  discounts: account(discounts[kind], `Gewährte Skonti ${percent} % USt`),
  outputTax: account(outputTax[kind], `Umsatzsteuer ${percent} %`),
  purchases,
  inputTax: account(inputTax[kind], `Abziehbare Vorsteuer ${percent} %`),
  selfAssessed: null,
  datev: { automaticRevenue: true, purchaseKey },
});

/** Accounts of all other percentages of a category. */
const buildOtherTaxes = (
  { revenue, outputTax, inputTax }: GermanNumbers,
  category: TaxAccounts['category'],
  purchases: Account,
): TaxAccounts => ({
  category,
  percent: null,
  revenue: account(revenue.other, 'Erlöse'),
  outputTax: account(outputTax.other, 'Umsatzsteuer'),
  purchases,
  inputTax: account(inputTax.other, 'Abziehbare Vorsteuer'),
  selfAssessed: null,
  datev: { automaticRevenue: false, purchaseKey: null },
});

/** Tax for which the company is liable as the buyer, at the standard rate. */
const buildSelfAssessed = (numbers: { outputTax: string; inputTax: string }, origin: string) => ({
  percent: STANDARD_PERCENT,
  outputTax: account(numbers.outputTax, `Umsatzsteuer ${origin} 19 %`),
  inputTax: account(numbers.inputTax, `Abziehbare Vorsteuer ${origin} 19 %`),
});

/**
 * The chart of a German company. DATEV tax keys: 9 and 8 are input tax at 19 % and 7 %, 19 an intra-community
 * acquisition at 19 %, 94 reverse charge at 19 % (§ 13b UStG).
 */
export function buildGermanChart(numbers: GermanNumbers): Chart {
  const { revenue } = numbers;
  const purchases = account(numbers.purchases, 'Wareneingang');
  const untaxed = (
    category: TaxAccounts['category'],
    number: string,
    name: string,
    datev: Parameters<typeof buildUntaxed>[3] = null,
  ): TaxAccounts => buildUntaxed(category, account(number, name), purchases, datev);
  const accounts = Object.fromEntries(
    Object.entries(numbers.accounts).map(([purpose, number]) => [
      purpose,
      account(number, new Map(Object.entries(NAMES)).get(purpose) ?? purpose),
    ]),
  ) as Record<AccountPurpose, Account>;
  return {
    accounts,
    taxes: [
      buildTaxed(numbers, STANDARD_PERCENT, 'standard', purchases, '9'),
      buildTaxed(numbers, REDUCED_PERCENT, 'reduced', purchases, '8'),
      ...(['S', 'L', 'M'] as const).map((category) => buildOtherTaxes(numbers, category, purchases)),
      untaxed('Z', numbers.zeroRatedRevenue, 'Erlöse 0 % USt'),
      untaxed('E', revenue.exempt, 'Steuerfreie Umsätze nach § 4 Nr. 8 ff. UStG'),
      untaxed('O', revenue.other, 'Erlöse'),
      untaxed('G', revenue.export, 'Steuerfreie Umsätze nach § 4 Nr. 1a UStG'),
      untaxed('K', revenue.community, 'Steuerfreie innergemeinschaftliche Lieferungen nach § 4 Nr. 1b UStG', {
        purchaseKey: '19',
        selfAssessed: buildSelfAssessed(numbers.community, 'aus innergemeinschaftlichem Erwerb'),
      }),
      untaxed('AE', numbers.reverseChargeRevenue, 'Erlöse aus Leistungen nach § 13b UStG', {
        purchaseKey: '94',
        selfAssessed: buildSelfAssessed(numbers.reverseCharge, 'nach § 13b UStG'),
      }),
    ],
  };
}
