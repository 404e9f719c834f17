import { readCamt053 } from '../../../../services/business/banking/formats/camt053';
import { readCsvStatement } from '../../../../services/business/banking/formats/csv';
import { readMt940 } from '../../../../services/business/banking/formats/mt940';
import { readStatements } from '../../../../services/business/banking/statement-reader';
import {
  computeBalanceGap,
  STATEMENT_FORMATS,
  StatementError,
} from '../../../../domain/business/banking/bank-statement';
import type { Statement } from '../../../../domain/business/banking/bank-statement';
import {
  buildCamt053,
  buildCamtEntry,
  buildHostileStatements,
  buildMt940,
} from '../../../support/business/banking/statements';

const describeTransactions = ([statement]: Statement[]) =>
  statement?.transactions.map(({ amount, ...fields }) => ({ ...fields, amount: amount.toFixed() }));

describe('camt.053', () => {
  test('booked entries are read with sign, dates, counterparty, references and texts; pending ones are not', () => {
    const entries = [
      buildCamtEntry({ amount: '119.00', name: 'Müller & Söhne', iban: 'DE02120300000000202051', text: 'INV-1' }),
      buildCamtEntry({ amount: '20.50', indicator: 'DBIT', name: 'Supplies Ltd', text: 'B-1', endToEndId: 'E2E-9' }),
      buildCamtEntry({ amount: '7.00', status: 'PDNG' }),
    ];
    const statements = readCamt053(buildCamt053({ entries, opening: '100.00', closing: '198.50' }));
    expect(statements).toMatchObject([
      { format: 'camt.053', number: 'STMT-1', account: 'DE89370400440532013000', currencyCode: 'EUR' },
    ]);
    expect(computeBalanceGap(statements[0] as Statement)?.toFixed()).toBe('0');
    expect(describeTransactions(statements)).toEqual([
      {
        bookingDate: '2026-01-15',
        valueDate: '2026-01-16',
        amount: '119',
        currencyCode: 'EUR',
        counterpartyName: 'Müller & Söhne',
        counterpartyIban: 'DE02120300000000202051',
        remittance: 'INV-1',
        endToEndId: null,
        bankReference: 'BANK-REF',
      },
      expect.objectContaining({ amount: '-20.5', counterpartyName: 'Supplies Ltd', endToEndId: 'E2E-9' }),
    ]);
  });

  test.each(['2026-01-15+01:00', '2026-01-15Z'])('the booking date %s is read without its offset', (date) => {
    const statements = readCamt053(buildCamt053({ entries: [buildCamtEntry({ amount: '1.00', date })] }));
    expect(describeTransactions(statements)).toMatchObject([{ bookingDate: '2026-01-15' }]);
  });

  test('a collective entry is divided into its transactions', () => {
    const details = ['30.00', '70.00'].map(
      (amount, index) =>
        `<TxDtls><Refs><EndToEndId>E${index}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt></TxDtls>`,
    );
    const entry = buildCamtEntry({ amount: '100.00', details: details.join('') });
    const read = describeTransactions(readCamt053(buildCamt053({ entries: [entry] })));
    expect(read?.map(({ amount, endToEndId }) => [amount, endToEndId])).toEqual([
      ['30', 'E0'],
      ['70', 'E1'],
    ]);
  });

  test('a collective entry is divided by the booked amounts, or by those of the underlying transactions', () => {
    const booked = ['30.00', '70.00'].map(
      (amount) =>
        `<TxDtls><Amt Ccy="EUR">${amount}</Amt><AmtDtls><TxAmt><Amt Ccy="EUR">99.00</Amt></TxAmt></AmtDtls></TxDtls>`,
    );
    const underlying = ['40.00', '60.00'].map(
      (amount) =>
        `<TxDtls><Amt Ccy="EUR">1.00</Amt><AmtDtls><TxAmt><Amt Ccy="EUR">${amount}</Amt></TxAmt></AmtDtls></TxDtls>`,
    );
    const entries = [booked, underlying].map((each) => buildCamtEntry({ amount: '100.00', details: each.join('') }));
    const read = describeTransactions(readCamt053(buildCamt053({ entries })));
    expect(read?.map(({ amount }) => amount)).toEqual(['30', '70', '40', '60']);
  });

  test('a collective entry that cannot be divided is attributed to none of its payers', () => {
    const details = ['A', 'B'].map(
      (name) =>
        `<TxDtls><Refs><EndToEndId>E-${name}</EndToEndId><AcctSvcrRef>R-${name}</AcctSvcrRef></Refs>` +
        `<RltdPties><Dbtr><Nm>${name}</Nm></Dbtr></RltdPties><RmtInf><Ustrd>INV-${name}</Ustrd></RmtInf></TxDtls>`,
    );
    const entry = buildCamtEntry({ amount: '100.00', details: details.join('') });
    const described = entry
      .replaceAll(/<RmtInf>.*?<\/RmtInf>/g, '')
      .replace('</Ntry>', '<AddtlNtryInf>2 credits</AddtlNtryInf></Ntry>');
    const read = describeTransactions(readCamt053(buildCamt053({ entries: [entry, described] })));
    const facts = { amount: '100', counterpartyName: null, counterpartyIban: null, endToEndId: null };
    expect(read).toMatchObject([
      { ...facts, remittance: 'INV-A INV-B', bankReference: 'BANK-REF' },
      { ...facts, remittance: '2 credits', bankReference: 'BANK-REF' },
    ]);
  });

  test('the texts of a collective entry are joined as far as a transaction may have them', () => {
    const details = Array.from(
      { length: 200 },
      (_, index) => `<TxDtls><RmtInf><Ustrd>${'x'.repeat(135)} ${1000 + index}</Ustrd></RmtInf></TxDtls>`,
    );
    const entry = buildCamtEntry({ amount: '100.00', details: details.join('') });
    const [read] = describeTransactions(readCamt053(buildCamt053({ entries: [entry] }))) ?? [];
    expect(read?.remittance).toMatch(/ 1000 x+ 1001 .* 1069$/);
    expect(read?.remittance.length).toBeLessThanOrEqual(10_000);
  });

  test.each([
    ['a document type', (xml: string) => xml.replace('<Document', '<!DOCTYPE Document [<!ENTITY a "b">]><Document')],
    ['an unknown entity', (xml: string) => xml.replace('STMT-1', '&xxe;')],
    ['a missing end', (xml: string) => xml.slice(0, -20)],
    ['another message', (xml: string) => xml.replaceAll('camt.053', 'pain.001')],
    ['an amount with a comma', (xml: string) => xml.replace('119.00', '119,00')],
    ['a debit mark that is neither', (xml: string) => xml.replace('CRDT', 'XXXX')],
    ['a deep tree', (xml: string) => xml.replace('<Ntry>', `${'<a>'.repeat(60)}${'</a>'.repeat(60)}<Ntry>`)],
  ])('%s is rejected as a statement', (_, change) => {
    const xml = buildCamt053({ entries: [buildCamtEntry({ amount: '119.00' })] });
    expect(() => readCamt053(change(xml))).toThrow(StatementError);
    expect(() => readCamt053(xml)).not.toThrow();
  });
});

describe('MT940', () => {
  test('lines are read with their SEPA subfields, reversals and the year of the entry date', () => {
    const text = buildMt940([
      ':61:2601310102C1234,56NTRFNONREF//BANK1',
      ':86:166?00GUTSCHRIFT?20EREF+INV-2026-000017?21SVWZ+Rechnung INV-2026-?22000017 danke?31DE02120300000000202051',
      '?32Example Gm?33bH',
      ':61:251231D34,5NMSCREF7',
      ':86:Plain text of a bank',
      ':61:260131RC10,NMSCNONREF',
    ]);
    const statements = readMt940(text);
    expect(describeTransactions(statements)).toEqual([
      {
        bookingDate: '2026-01-02',
        valueDate: '2026-01-31',
        amount: '1234.56',
        currencyCode: 'EUR',
        counterpartyName: 'Example GmbH',
        counterpartyIban: 'DE02120300000000202051',
        remittance: 'Rechnung INV-2026-000017 danke',
        endToEndId: 'INV-2026-000017',
        bankReference: 'BANK1',
      },
      expect.objectContaining({
        amount: '-34.5',
        valueDate: '2025-12-31',
        endToEndId: 'REF7',
        remittance: 'Plain text of a bank',
      }),
      expect.objectContaining({ amount: '-10' }),
    ]);
    expect(statements[0]).toMatchObject({ account: '37040044/0532013000', number: '1/1' });
  });

  test('a reference of the account owner may contain a slash', () => {
    const text = buildMt940([':61:2601310131C1,00NTRF2026/0117//BANK/1', ':61:2601310131D1,00NTRFRE/7']);
    expect(
      describeTransactions(readMt940(text))?.map(({ endToEndId, bankReference }) => [endToEndId, bankReference]),
    ).toEqual([
      ['2026/0117', 'BANK/1'],
      ['RE/7', null],
    ]);
  });

  test('lines of a text that begin with a hyphen or a brace belong to it; envelopes and ends do not', () => {
    const text = buildMt940([
      ':61:2601310131C1,00NTRFNONREF//B1',
      ':86:Rechnung',
      '-17 vom 31.1.',
      '{Nachtrag} Danke',
      '- bis bald',
    ]);
    const second = buildMt940([':61:2601310131D1,00NTRFNONREF//B2', ':86:Miete']).replace(/-\}$/, '-');
    const envelopes = text.replace('{4:', '{3:{108:MT940}}{4:').concat('{5:{CHK:123456789ABC}}');
    for (const file of [`${envelopes}\r\n${second}`, `${text}${second}`, `${second}\r\n${text}\r\n{5:{MAC:1}}`]) {
      const statements = readMt940(file);
      const remittances = statements.flatMap((each) => each.transactions).map(({ remittance }) => remittance);
      expect(remittances.sort()).toEqual(['Miete', 'Rechnung -17 vom 31.1. {Nachtrag} Danke - bis bald']);
    }
  });

  test.each([
    ['no message', 'hello'],
    ['an amount with two decimal commas', buildMt940([':61:2601310131C1,2,3NTRFNONREF'])],
    ['a balance with two decimal commas', buildMt940([], 'C260131EUR1,2,3')],
    ['a message without balances', ':20:X\r\n:25:1\r\n:61:2601310131C1,00NTRF'],
    ['a line of another form', buildMt940([':61:yesterday'])],
    ['a date that does not exist', buildMt940([':61:260231C1,00NTRFNONREF'])],
  ])('%s is rejected', (_, text) => {
    expect(() => readMt940(text)).toThrow(/must|is not a date/);
  });
});

describe('CSV', () => {
  const defaults = { account: 'MY-ACCOUNT', currencyCode: 'EUR' };

  test('columns are read by their mapping, with the separators and dates of the bank', () => {
    const text = 'Umsätze\nBuchung;Betrag;Name;Text\n31.01.2026;-1.234,50;Müller;"a; b"\n01.02.2026;7;;\n';
    const mapping = {
      bookingDate: 'Buchung',
      amount: 'Betrag',
      counterpartyName: 'Name',
      remittance: 'Text',
      delimiter: ';',
      dateFormat: 'DD.MM.YYYY',
      decimalSeparator: ',',
      skipLines: 1,
    } as const;
    const statements = readCsvStatement(text, mapping, defaults);
    expect(describeTransactions(statements)).toMatchObject([
      {
        bookingDate: '2026-01-31',
        amount: '-1234.5',
        counterpartyName: 'Müller',
        remittance: 'a; b',
        currencyCode: 'EUR',
      },
      { bookingDate: '2026-02-01', amount: '7', counterpartyName: null, remittance: '' },
    ]);
  });

  test.each([
    ['date,amount\n', 'has no rows'],
    ['day,amount\n2026-01-01,1\n', 'lacks mapped columns (bookingDate: date); it has day, amount'],
    ['date,amount\n2026-02-30,1\n', 'row 1: date must be a date YYYY-MM-DD'],
    ['date,amount\n2026-02-01,one\n', 'row 1: amount must be an amount such as -1234.56'],
    ['date,amount\n2026-02-01,"12,50"\n', 'row 1: amount must be an amount such as -1234.56'],
    ['date,amount\n2026-02-01,"1.234,56"\n', 'row 1: amount must be an amount such as -1234.56'],
    ['date,amount\n2026-02-01,"1,234,5"\n', 'row 1: amount must be an amount such as -1234.56'],
    ['date,amount\n"2026,1\n', 'is not CSV'],
  ])('%j is rejected: %s', (text, problem) => {
    expect(() => readCsvStatement(text, { bookingDate: 'date', amount: 'amount' }, defaults)).toThrow(problem);
  });

  test.each([
    ['1,234,567.89', '.', '1234567.89'],
    ["-1'234.5", '.', '-1234.5'],
    ['+12 345,00', ',', '12345'],
    ['1\u00a0234,50', ',', '1234.5'],
    ['12,34,567.00', '.', '1234567'],
    ['0.5', '.', '0.5'],
  ] as const)('%j with the decimal separator %j is %s', (sent, decimalSeparator, amount) => {
    const mapping = { bookingDate: 'date', amount: 'amount', delimiter: ';', decimalSeparator } as const;
    const statements = readCsvStatement(`date;amount\n2026-02-01;${sent}\n`, mapping, defaults);
    expect(describeTransactions(statements)).toMatchObject([{ amount }]);
  });

  test('a mapping names columns of the header only', () => {
    const mapping = { bookingDate: 'date', amount: 'toString' };
    expect(() => readCsvStatement('date,amount\n2026-02-01,1\n', mapping, defaults)).toThrow(
      'lacks mapped columns (amount: toString)',
    );
  });
});

describe('a file of more transactions than are accepted is refused before they are read', () => {
  const problem = 'must have at most 5000 transactions';

  test('as camt.053, of which the rest is not read', () => {
    const entry = buildCamtEntry({ amount: '1.00' });
    const pending = buildCamtEntry({ amount: '1.00', status: 'PDNG' });
    const broken = (count: number): string =>
      buildCamt053({ entries: [pending.repeat(10), entry.repeat(count), '<Ntry><Amt Ccy=1/></Ntry>'] });
    expect(() => readCamt053(broken(5001))).toThrow(problem);
    expect(() => readCamt053(broken(5000))).toThrow('is not well-formed XML');
    const statement = (count: number): string =>
      buildCamt053({ entries: [entry.repeat(count)] }).replace(/^[^]*(<Stmt>[^]*<\/Stmt>)[^]*$/, '$1');
    const several = buildCamt053({ entries: [] }).replace(/<Stmt>[^]*<\/Stmt>/, statement(2501).repeat(2));
    expect(() => readCamt053(several)).toThrow(problem);
  });

  test('as MT940', () => {
    expect(() => readMt940(`:20:A\n${':61:no statement line\n'.repeat(5001)}`)).toThrow(problem);
  });

  test('as CSV', () => {
    const text = `date,amount\n${'no day,1\n'.repeat(5001)}`;
    const defaults = { account: null, currencyCode: 'EUR' };
    expect(() => readCsvStatement(text, { bookingDate: 'date', amount: 'amount' }, defaults)).toThrow(problem);
  });
});

test.each(buildHostileStatements(3 * 1024 * 1024))(
  'a $format file with too many $name is refused with the reason',
  ({ format, text, reason }) => {
    const file = {
      format: STATEMENT_FORMATS.find((each) => each === format) ?? 'csv',
      bytes: Buffer.from(text),
      mapping: { bookingDate: 'day', amount: 'sum' },
      account: null,
      currencyCode: 'EUR',
    };
    expect(() => readStatements(file)).toThrow(StatementError);
    expect(() => readStatements(file)).toThrow(reason);
  },
);

test('a row that is shorter than the header never takes a property of every object for its text', () => {
  const mapping = { bookingDate: 'day', amount: 'sum', remittance: 'constructor' };
  const [statement] = readCsvStatement('day,sum,constructor\n2026-01-31,1\n', mapping, {
    account: null,
    currencyCode: 'EUR',
  });
  expect(statement?.transactions).toMatchObject([{ remittance: '' }]);
});
