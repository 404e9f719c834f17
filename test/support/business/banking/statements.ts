/** The fields of an entry of a camt.053 message that tests change. */
export interface CamtEntry {
  amount: string;
  indicator?: 'CRDT' | 'DBIT';
  status?: string;
  date?: string;
  name?: string;
  iban?: string;
  text?: string;
  endToEndId?: string;
  reference?: string;
  /** Replaces the transaction details. */
  details?: string;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/**
 * One `Ntry` of a camt file. It was booked on 15 January 2026 and valued the next day unless `entry` says otherwise.
 */
export function buildCamtEntry(entry: CamtEntry): string {
  const { indicator = 'CRDT', status = 'BOOK', date = '2026-01-15', endToEndId = 'NOTPROVIDED' } = entry;
  const role = indicator === 'CRDT' ? 'Dbtr' : 'Cdtr';
  const parties =
    (entry.name === undefined ? '' : `<${role}><Nm>${escape(entry.name)}</Nm></${role}>`) +
    (entry.iban === undefined ? '' : `<${role}Acct><Id><IBAN>${entry.iban}</IBAN></Id></${role}Acct>`);
  const details =
    entry.details ??
    `<TxDtls><Refs><EndToEndId>${endToEndId}</EndToEndId></Refs><RltdPties>${parties}</RltdPties>` +
      `<RmtInf><Ustrd>${escape(entry.text ?? '')}</Ustrd></RmtInf></TxDtls>`;
  return (
    `<Ntry><Amt Ccy="EUR">${entry.amount}</Amt><CdtDbtInd>${indicator}</CdtDbtInd><Sts>${status}</Sts>` +
    `<BookgDt><Dt>${date}</Dt></BookgDt><ValDt><Dt>${date.replace(/15$/, '16')}</Dt></ValDt>` +
    `<AcctSvcrRef>${entry.reference ?? 'BANK-REF'}</AcctSvcrRef><NtryDtls>${details}</NtryDtls></Ntry>`
  );
}

const buildBalance = (code: string, amount: string | undefined): string =>
  amount === undefined
    ? ''
    : `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${amount}</Amt>` +
      '<CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-15</Dt></Dt></Bal>';

/** A camt.053 message with one statement. */
export const buildCamt053 = (statement: {
  entries: readonly string[];
  id?: string;
  opening?: string;
  closing?: string;
}): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M</MsgId></GrpHdr>' +
  `<Stmt><Id>${statement.id ?? 'STMT-1'}</Id>` +
  '<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy></Acct>' +
  `${buildBalance('OPBD', statement.opening)}${buildBalance('CLBD', statement.closing)}` +
  `${statement.entries.join('')}</Stmt></BkToCstmrStmt></Document>`;

/** A camt.053 message with the statements of several. */
export const joinCamt053 = (messages: readonly string[]): string => {
  const statements = messages.map((message) => /<Stmt>[^]*<\/Stmt>/.exec(message)?.[0] ?? '');
  return (messages[0] ?? '').replace(/<Stmt>[^]*<\/Stmt>/, () => statements.join(''));
};

/** An MT940 file with one message in its envelope. */
export const buildMt940 = (lines: readonly string[], closing = 'C260131EUR0,00'): string =>
  [
    '{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:',
    ':20:STARTUMS',
    ':25:37040044/0532013000',
    ':28C:1/1',
    ':60F:C260101EUR0,00',
    ...lines,
    `:62F:${closing}`,
    '-}',
  ].join('\r\n');

const repeat = (part: string, bytes: number): string => part.repeat(Math.floor(bytes / part.length));

const buildNumberedAttributes = (bytes: number, name: string): string => {
  let attributes = '';
  for (let index = 0; attributes.length < bytes; index += 1) attributes += ` ${name}${index.toString(36)}="u"`;
  return attributes;
};

const wrapCamt053 = (content: string, attributes = ''): string =>
  `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"${attributes}><BkToCstmrStmt>${content}` +
  '</BkToCstmrStmt></Document>';

/** Files that are small for what a reader without limits makes of them, with the reason for which each is refused. */
export function buildHostileStatements(
  bytes: number,
): { name: string; format: string; text: string; reason: string }[] {
  const camt = (name: string, text: string, reason: string) => ({ name, format: 'camt.053', text, reason });
  const mt940 = (name: string, text: string, reason: string) => ({ name, format: 'mt940', text, reason });
  const csv = (name: string, text: string, reason: string) => ({ name, format: 'csv', text, reason });
  const tooManyNodes = 'must have at most 300000 elements and attributes';
  return [
    camt('attributes', wrapCamt053('', buildNumberedAttributes(bytes, 'a')), 'must have at most 50 attributes'),
    camt('namespaces', wrapCamt053('', buildNumberedAttributes(bytes, 'xmlns:a')), 'must have at most 50 attributes'),
    camt('elements', wrapCamt053(`<Stmt>${repeat('<Bal/>', bytes)}</Stmt>`), tooManyNodes),
    camt('attributes of many elements', wrapCamt053(repeat('<a b="" c="" d="" e="" f=""/>', bytes)), tooManyNodes),
    camt('statements', wrapCamt053('<Stmt/>'.repeat(1001)), 'must have at most 1000 statements'),
    camt(
      'a text that many transactions share',
      wrapCamt053(
        '<Stmt><Ntry><Amt Ccy="EUR">49</Amt><CdtDbtInd>CRDT</CdtDbtInd><BookgDt><Dt>2026-01-15</Dt></BookgDt>' +
          `<AddtlNtryInf>${'x'.repeat(9000)}</AddtlNtryInf>` +
          `<NtryDtls>${'<TxDtls><Amt Ccy="EUR">0.01</Amt></TxDtls>'.repeat(4900)}</NtryDtls></Ntry></Stmt>`,
      ),
      'must have at most 5000000 characters in the texts',
    ),
    mt940('messages', repeat(':20:\n', bytes), 'must have at most 1000 statements'),
    mt940('fields', `:20:x\n${repeat(':86:\n', bytes)}`, 'must have at most 50000 fields'),
    mt940('transactions', `:20:x\n${repeat(':61:\n', bytes)}`, 'must have at most 5000 transactions'),
    mt940('lines of a field', `:20:x\n${repeat('a\n', bytes)}`, 'a field must have at most 10000 characters'),
    mt940('subfields', `:20:x\n:86:${repeat('?', bytes)}`, 'a line must have at most 10100 characters'),
    mt940('blocks', `:20:x\n{1:${repeat('{}', bytes)}`, 'a line must have at most 10100 characters'),
    csv('rows', `day,sum\n${repeat('1,1\n', bytes)}`, 'must have at most 5000 transactions'),
    csv('columns', `day,sum,${'a,'.repeat(1000)}\n1,1\n`, 'must have at most 500 columns'),
    csv('empty fields', `day,sum\n${repeat(',', bytes)}`, 'a row must have at most 262144 characters'),
    csv('lines of a field', `day,sum\n"${repeat('x\n', bytes)}"`, 'a row must have at most 262144 characters'),
  ];
}
