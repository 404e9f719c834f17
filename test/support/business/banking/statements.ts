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
