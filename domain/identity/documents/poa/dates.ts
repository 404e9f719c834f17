import { parsePrintedDates } from '../printed-dates';
import type { DateOrder } from '../printed-dates';
import { findValueAfter } from './layout';
import type { TextPiece } from './layout';

/** Captions of the day a letter was written, in the languages of {@link languageOf}, the certain ones first. */
const ISSUE_CAPTION =
  /(invoice|bill(ing)?|statement|letter|tax point) ?date|date of (issue|invoice|bill|statement|letter)|issued? (on|date)|rechnungsdatum|ausstellungsdatum|erstellt am|kontoauszug vom|bescheid vom|fecha de (emisi[óo]n|la? ?factura|expedici[óo]n|facturaci[óo]n)|date (de la |de |d['’ ])?([ée]mission|facture|facturation|l['’]avis)|facture du|[ée]mise? le|data (di )?(emissione|fattura)|data (de |da )?(emiss[ãa]o|fatura)|factuurdatum|data wystawienia|дата|日期|発行日/i;

/** A date by itself, as letterheads have it: a day of writing unless its line says otherwise. */
const PLAIN_CAPTION = /^(date|datum|fecha|data|le|den|dato)\b/i;

/** Days of something else: due, periods, readings, birth, contracts. */
const OTHER_DAY =
  /due|pay(able|ment)? by|f[äa]llig|zahlbar|vencimiento|vence|[ée]ch[ée]ance|prélevé|scadenza|termin|vervald|period|zeitraum|periodo|p[ée]riode|from .* to|vom .* bis|du .* au|del .* al|reading|ablesung|lectura|relev[ée] le|birth|geburt|nacimiento|naissance|nascita|contract|vertrag|next|nächste|pr[óo]xim|prochain|since|seit|expir|valid|g[üu]ltig/i;

/** In these languages the month is written first where the address is American. */
const MONTH_FIRST_COUNTRIES = new Set(['USA']);

/** How dates in digits are to be read: by any of them that can be read one way only, else by the country. */
export function detectDateOrder(text: string, country: string | null): DateOrder {
  const parts = [...text.matchAll(/(?<!\d)(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)/g)];
  if (parts.some(([, first]) => Number(first) > 12)) return 'day-first';
  if (parts.some(([, , second]) => Number(second) > 12)) return 'month-first';
  return country !== null && MONTH_FIRST_COUNTRIES.has(country) ? 'month-first' : 'day-first';
}

/** The date nearest to the day of reading that is not after it by more than two years nor older than a century. */
const findPlausibleDate = (dates: readonly string[], today: string): string | undefined => {
  const latest = `${Number(today.slice(0, 4)) + 2}${today.slice(4)}`;
  const earliest = `${Number(today.slice(0, 4)) - 30}${today.slice(4)}`;
  return dates.find((date) => date >= earliest && date <= latest);
};

interface Candidate {
  date: string;
  weight: number;
}

/**
 * The day a letter was written: the date under its caption, else one that stands alone, else the latest date of the
 * letter that is not in the future.
 *
 * @param today YYYY-MM-DD
 */
export function findIssueDate(lines: readonly TextPiece[], order: DateOrder, today: string): string | null {
  const candidates: Candidate[] = [];
  for (const line of lines) {
    const caption = ISSUE_CAPTION.exec(line.text);
    if (caption !== null) {
      const rest = line.text.slice(caption.index + caption[0].length).replace(/^[\s:.]+/, '');
      const value = findValueAfter(line, rest, lines);
      const date = value === null ? undefined : findPlausibleDate(parsePrintedDates(value.text, order), today);
      if (date !== undefined) candidates.push({ date, weight: 4 });
    }
    const lineDate = findPlausibleDate(parsePrintedDates(line.text, order), today);
    if (lineDate === undefined || caption !== null) continue;
    const weight = OTHER_DAY.test(line.text) ? 0.2 : PLAIN_CAPTION.test(line.text) ? 3 : line.text.length < 40 ? 2 : 1;
    // A day named in the future is a due date, whatever its caption was read as.
    candidates.push({ date: lineDate, weight: lineDate > today ? Math.min(weight, 0.1) : weight });
  }
  const [best] = candidates.sort((a, b) => b.weight - a.weight || (a.date < b.date ? 1 : -1));
  return best === undefined || best.weight <= 0.1 ? null : best.date;
}
