/**
 * VAT rates in percent as they were published, standard rate first, transcribed on 2026-11-23 for comparison with the
 * sets of the service. Members of the Union: Taxes in Europe Database of the European Commission (TEDB); Norway,
 * Switzerland and the United Kingdom: their authorities. Both as distributed by the package `eu-vat-rates-data`
 * 2026.9.29 (PyPI, MIT licence), including rates of regions, super-reduced and parking rates.
 */
export const PUBLISHED_VAT_RATES: Readonly<Record<string, readonly number[]>> = {
  AT: [20, 19, 13, 10, 4.9],
  BE: [21, 12, 6],
  BG: [20, 9],
  CH: [8.1, 3.8, 2.6],
  CY: [19, 9, 5, 3],
  CZ: [21, 12],
  DE: [19, 7],
  DK: [25],
  EE: [24, 13, 9],
  ES: [21, 10, 4],
  FI: [25.5, 13.5, 10],
  FR: [20, 13, 10, 8.5, 5.5, 2.1, 1.05, 0.9],
  GB: [20, 5],
  GR: [24, 17, 13, 6, 4],
  HR: [25, 13, 5],
  HU: [27, 18, 5],
  IE: [23, 13.5, 9],
  IT: [22, 10, 5, 4],
  LT: [21, 12, 5],
  LU: [17, 14, 8, 3],
  LV: [21, 12, 5],
  MT: [18, 12, 7, 5],
  NL: [21, 9],
  NO: [25, 15, 12],
  PL: [23, 8, 5],
  PT: [23, 22, 16, 13, 6],
  RO: [21, 11],
  SE: [25, 12, 6],
  SI: [22, 9.5, 5],
  SK: [23, 19, 5],
};

/**
 * The federal tax of Canada and what provinces add to it, in percent, as distributed by the package `sales-tax` 2.23.0
 * (npm, MIT licence); Canada Revenue Agency.
 */
export const PUBLISHED_CANADIAN_RATES = {
  federal: 5,
  provinces: {
    BC: { type: 'pst', percent: 7 },
    MB: { type: 'pst', percent: 7 },
    NB: { type: 'hst', percent: 10 },
    NL: { type: 'hst', percent: 10 },
    NS: { type: 'hst', percent: 9 },
    ON: { type: 'hst', percent: 8 },
    PE: { type: 'hst', percent: 10 },
    QC: { type: 'qst', percent: 9.975 },
    SK: { type: 'pst', percent: 6 },
  },
} as const;
