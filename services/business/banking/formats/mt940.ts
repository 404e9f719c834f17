import { isCalendarDate } from '../../../../domain/business/calendar';
import { Decimal } from '../../../../domain/business/decimal';
import {
  MAX_TRANSACTION_TEXT_LENGTH,
  requireStatementCount,
  requireTransactionCount,
  StatementError,
} from '../../../../domain/business/banking/bank-statement';
import type { Statement, StatementTransaction } from '../../../../domain/business/banking/bank-statement';

/** A field of a message, such as `:61:`, with its lines. */
interface Field {
  tag: string;
  lines: string[];
}

const FIELD_START = /^:(\d{2}[A-Z]?):(.*)$/;

/** Complete blocks of the envelope, such as `{1:…}` and `{5:{CHK:…}}`. Texts may have other braces. */
const BLOCKS = /^(\{[1-5S]:[^{}]*(\{[^{}]*\}[^{}]*)*\})+/;
/** The end of a message, `-` alone or `-}`, which a block may follow, or a block that does not end on its line. */
const ENVELOPE_LINE = /^-(\}|\s*$)|^\{[1-5S]:/;

/** Lines of SWIFT have 65 characters; some banks write a text into one line. */
const MAX_LINE_LENGTH = MAX_TRANSACTION_TEXT_LENGTH + 100;
/** Several times as many as the messages and transactions that a file may have need. */
const MAX_FIELDS = 50_000;

/** The fields of a file, limited while they are split, so that a file of nothing but fields is not held in parts. */
class FieldCollector {
  /** The fields of each message, from its `:20:` on. */
  readonly messages: Field[][] = [];
  private fields = 0;
  private transactions = 0;
  private current: { field: Field; length: number } | null = null;

  /** Begins a field; what precedes the first message is dropped. */
  begin(tag: string, line: string): void {
    this.fields += 1;
    if (this.fields > MAX_FIELDS) throw new StatementError(`must have at most ${MAX_FIELDS} fields`);
    if (tag === '20') requireStatementCount(this.messages.push([]));
    if (tag === '61') {
      this.transactions += 1;
      requireTransactionCount(this.transactions);
    }
    const field = { tag, lines: [] };
    this.messages.at(-1)?.push(field);
    this.current = { field, length: 0 };
    this.continue(line);
  }

  /** Adds a line to the field that was begun last. */
  continue(line: string): void {
    if (this.current === null) return;
    this.current.length += line.length;
    if (this.current.length > MAX_TRANSACTION_TEXT_LENGTH)
      throw new StatementError(
        `:${this.current.field.tag}: a field must have at most ${MAX_TRANSACTION_TEXT_LENGTH} characters`,
      );
    this.current.field.lines.push(line);
  }
}

/** Splits a file into the fields of its messages; envelopes in braces and the end `-` are dropped. */
function splitMessages(text: string): Field[][] {
  const collector = new FieldCollector();
  for (const [raw] of text.matchAll(/[^\r\n]+/g)) {
    if (raw.length > MAX_LINE_LENGTH)
      throw new StatementError(`a line must have at most ${MAX_LINE_LENGTH} characters`);
    const line = raw.replace(BLOCKS, '').replace(/^\{4:\s*/, '');
    if (line === '' || ENVELOPE_LINE.test(line)) continue;
    const start = FIELD_START.exec(line);
    if (start) collector.begin(start[1] ?? '', start[2] ?? '');
    else collector.continue(line);
  }
  return collector.messages;
}

/** Two digits of the year: 80 to 99 are in the last century. */
function readDate(text: string, where: string): string {
  const year = Number(text.slice(0, 2));
  const date = `${year >= 80 ? 1900 + year : 2000 + year}-${text.slice(2, 4)}-${text.slice(4, 6)}`;
  if (!isCalendarDate(date)) throw new StatementError(`${where}: ${text} is not a date YYMMDD`);
  return date;
}

const readAmount = (text: string): Decimal => new Decimal(text.replace(/,$/, '').replace(',', '.'));

const BALANCE = /^([CD])(\d{6})([A-Z]{3})(\d{1,15}(?:,\d{0,5})?)$/;

function readBalance(field: Field | undefined): { amount: Decimal; currencyCode: string } | null {
  if (field === undefined) return null;
  const match = BALANCE.exec(field.lines[0]?.trim() ?? '');
  if (!match) throw new StatementError(`:${field.tag}: must be a balance such as C260131EUR1234,56`);
  const amount = readAmount(match[4] ?? '');
  return { amount: match[1] === 'C' ? amount : amount.neg(), currencyCode: match[3] ?? '' };
}

/**
 * Value date, entry date, mark (R: reversal), funds code, amount, type, reference and, after two slashes, reference of the
 * bank. A reference may contain single slashes.
 */
const STATEMENT_LINE =
  /^(\d{6})(\d{4})?(R?[CD])[A-Z]?(\d{1,15}(?:,\d{0,5})?)(?![\d,])([A-Z][A-Z0-9]{3})?((?:(?!\/\/).)*)(?:\/\/(.*))?$/;

/** The entry date has no year: it is the one next to the value date. */
function readEntryDate(monthAndDay: string | undefined, valueDate: string): string {
  if (monthAndDay === undefined) return valueDate;
  const year = Number(valueDate.slice(0, 4));
  const rest = `${monthAndDay.slice(0, 2)}-${monthAndDay.slice(2, 4)}`;
  const distance = (date: string): number => Math.abs(Date.parse(date) - Date.parse(valueDate));
  const candidates = [year - 1, year, year + 1].map((each) => `${each}-${rest}`).filter(isCalendarDate);
  return candidates.sort((a, b) => distance(a) - distance(b))[0] ?? valueDate;
}

/** Subfields of `:86:`: `?20` to `?29` and `?60` to `?63` remittance, `?32` and `?33` name, `?31` account. */
function readInformation(lines: readonly string[]) {
  const text = lines.join('');
  const separator = /^\d{3}([^\dA-Za-z\s])\d{2}/.exec(text)?.[1];
  if (separator === undefined)
    return { counterpartyName: null, counterpartyIban: null, remittance: lines.join(' ').trim(), endToEndId: null };
  const subfields = text
    .slice(3)
    .split(separator)
    .slice(1)
    .map((part): [string, string] => [part.slice(0, 2), part.slice(2)]);
  const join = (accepts: (code: string) => boolean): string =>
    subfields
      .filter(([code]) => accepts(code))
      .map(([, value]) => value)
      .join('')
      .trim();
  const purpose = join((code) => /^2\d$|^6[0-3]$/.test(code));
  // SEPA identifiers within the remittance information of German banks.
  const remittance =
    /SVWZ\+(.*?)(?=(?:EREF|KREF|MREF|CRED|DEBT|ABWA|ABWE|IBAN|BIC)\+|$)/s.exec(purpose)?.[1] ?? purpose;
  const endToEndId = /EREF\+(.*?)(?=(?:SVWZ|KREF|MREF|CRED|DEBT|ABWA|ABWE|IBAN|BIC)\+|$)/s.exec(purpose)?.[1]?.trim();
  const name = join((code) => code === '32' || code === '33');
  const account = join((code) => code === '31');
  return {
    counterpartyName: name === '' ? null : name,
    counterpartyIban: /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/.test(account) ? account : null,
    remittance: remittance.trim(),
    endToEndId: endToEndId === undefined || endToEndId === '' || endToEndId === 'NOTPROVIDED' ? null : endToEndId,
  };
}

function readTransaction(
  line: Field,
  information: Field | undefined,
  currencyCode: string,
  where: string,
): StatementTransaction {
  const match = STATEMENT_LINE.exec(line.lines[0]?.trim() ?? '');
  if (!match) throw new StatementError(`${where}: must be a statement line such as 2601310131C1234,56NTRFNONREF`);
  const [, value = '', entry, mark = '', amount = '', , reference = '', bankReference] = match;
  const valueDate = readDate(value, where);
  // A reversal of a credit takes money away.
  const isCredit = mark === 'C' || mark === 'RD';
  const read = readInformation(information?.lines ?? []);
  const ownReference = reference.trim();
  return {
    bookingDate: readEntryDate(entry, valueDate),
    valueDate,
    amount: isCredit ? readAmount(amount) : readAmount(amount).neg(),
    currencyCode,
    ...read,
    endToEndId: read.endToEndId ?? (ownReference === '' || ownReference === 'NONREF' ? null : ownReference),
    bankReference: bankReference === undefined || bankReference.trim() === '' ? null : bankReference.trim(),
  };
}

/** The fields of one message, from its `:20:` on. */
function readMessage(fields: readonly Field[], where: string): Statement {
  const find = (...tags: string[]): Field | undefined => fields.find(({ tag }) => tags.includes(tag));
  const opening = readBalance(find('60F', '60M'));
  const closing = readBalance(find('62F', '62M'));
  if (opening === null || closing === null)
    throw new StatementError(`${where}: must have an opening and a closing balance (:60F: and :62F:)`);
  const transactions = fields.flatMap((field, index) => {
    if (field.tag !== '61') return [];
    const next = fields[index + 1];
    const information = next?.tag === '86' ? next : undefined;
    return [readTransaction(field, information, opening.currencyCode, `${where}, :61:`)];
  });
  return {
    format: 'mt940',
    number: find('28C', '28')?.lines[0]?.trim() ?? null,
    account: find('25', '25P')?.lines[0]?.trim() ?? null,
    currencyCode: opening.currencyCode,
    openingBalance: opening.amount,
    closingBalance: closing.amount,
    transactions,
  };
}

/**
 * Reads the messages of an MT940 file (SWIFT), with the subfields of `:86:` that banks in Europe use.
 * @throws StatementError if a message lacks its balances, or a line is not of its form
 */
export function readMt940(text: string): Statement[] {
  const messages = splitMessages(text);
  if (messages.length === 0) throw new StatementError('must be an MT940 file, whose messages begin with :20:');
  return messages.map((fields, index) => readMessage(fields, `message ${index + 1}`));
}
