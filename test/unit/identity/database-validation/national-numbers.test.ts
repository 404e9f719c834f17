import { checkNationalNumber, NUMBER_COUNTRIES } from '../../../../domain/identity/database-validation/national-number';

/** Example numbers that their issuers or the validators' own documentation publish; a date and sex where encoded. */
const EXAMPLES: [country: string, number: string, date: string | null, sex: 'F' | 'M' | null][] = [
  ['AT', '1237 010180', '80-01-01', null],
  ['BE', '85.07.30-033 28', '85-07-30', 'M'],
  ['BG', '7523169263', '1875-03-16', 'M'],
  ['BR', '390.533.447-05', null, null],
  ['CH', '756.9217.0769.85', null, null],
  ['CL', '12531909-2', null, null],
  ['CN', '360426199101010071', '1991-01-01', 'M'],
  ['CZ', '710319/2745', '71-03-19', 'M'],
  ['DE', '36 574 261 809', null, null],
  ['DK', '211062-5629', '62-10-21', 'M'],
  ['EE', '36805280109', '1968-05-28', 'M'],
  ['ES', '54362315K', null, null],
  ['FI', '131052-308T', '1952-10-13', 'F'],
  ['FR', '2 95 10 99 126 111 93', '95-10', 'F'],
  ['GB', 'HH590391A', null, null],
  ['GR', '01013099997', '30-01-01', 'M'],
  ['HR', '33392005961', null, null],
  ['IE', '6433435F', null, null],
  ['IL', '3933742-3', null, null],
  ['IN', '234123412346', null, null],
  ['IS', '120174-3399', '1974-01-12', null],
  ['IT', 'RCCMNL83S18D969H', '83-11-18', 'M'],
  ['KR', '971013-9019902', '1897-10-13', 'M'],
  ['LT', '33309240064', '1933-09-24', 'M'],
  ['LV', '161175-19997', '1975-11-16', null],
  ['MX', 'BOXW310820HNERXN09', '1931-08-20', 'M'],
  ['MY', '770305-02-1234', '77-03-05', 'F'],
  ['NL', '1112.22.333', null, null],
  ['NO', '15108695088', '86-10-15', 'F'],
  ['PL', '44051401359', '1944-05-14', 'M'],
  ['RO', '1630615123457', '1963-06-15', 'M'],
  ['RS', '0101006500006', '2006-01-01', 'M'],
  ['SE', '880320-0016', '88-03-20', 'M'],
  ['SI', '0101006500006', '2006-01-01', 'M'],
  ['SK', '710319/2745', '71-03-19', 'M'],
  ['TR', '17291716060', null, null],
  ['US', '536-90-4399', null, null],
  ['ZA', '7503305044089', '75-03-30', 'M'],
];

const parseNumber = (country: string, number: string): { date: string | null; sex: string | null } => {
  const verdict = checkNationalNumber(country, number);
  if (verdict.status !== 'valid') throw new Error(`${country} is ${verdict.status}`);
  const { encoded } = verdict;
  if (encoded === null) return { date: null, sex: null };
  const two = (value: number): string => String(value).padStart(2, '0');
  const parts = [encoded.year, encoded.month, encoded.day].filter((part) => part !== null);
  return { date: parts.length === 0 ? null : parts.map(two).join('-'), sex: encoded.sex };
};

describe('national numbers', () => {
  test.each(EXAMPLES)('%s %s is valid and encodes %s, %s', (country, number, date, sex) => {
    expect(parseNumber(country, number)).toEqual({ date, sex });
  });

  test.each(EXAMPLES)('%s %s with another digit is invalid', (country, number) => {
    // The last digit before a letter or the end: the check digit or one it protects.
    const wrong = number.replace(/(\d)(?!.*\d)/, (digit) => String((Number(digit) + 1) % 10));
    // Where the last digit is no check digit, a number of another length is wrong all the same.
    const unchecked = ['GB', 'US', 'MY', 'DK', 'KR', 'IN', 'IE', 'IT', 'IS'].includes(country);
    expect(checkNationalNumber(country, unchecked ? `${number}77` : wrong).status).toBe('invalid');
  });

  test('a country without number rules is reported as unsupported', () => {
    expect(checkNationalNumber('NR', '123').status).toBe('unsupported');
  });

  test('more than seventy countries are supported', () => {
    expect(NUMBER_COUNTRIES.length).toBeGreaterThan(70);
  });

  test.each(['', ' ', '٣٤', '0'.repeat(64), '<script>', 'a'.repeat(64)])(
    '%j is no number anywhere, and breaks nothing',
    (text) => {
      for (const country of NUMBER_COUNTRIES)
        expect(['valid', 'invalid']).toContain(checkNationalNumber(country, text).status);
    },
  );
});
