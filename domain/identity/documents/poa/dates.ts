import { parsePrintedDates } from '../printed-dates';
import type { DateOrder } from '../printed-dates';
import { findValueAfter } from './layout';
import type { TextPiece } from './layout';

/** Captions of the date of a letter, in the languages of `detectLanguage`, the definite ones first. */
const ISSUE_CAPTION =
  /(invoice|bill(ing)?|statement|letter|tax point) ?date|date of (issue|invoice|bill|statement|letter)|issued? (on|date)|rechnungsdatum|ausstellungsdatum|erstellt am|kontoauszug vom|bescheid vom|fecha de (emisi[óo]n|la? ?factura|expedici[óo]n|facturaci[óo]n)|date (de la |de |d['’ ])?([ée]mission|facture|facturation|l['’]avis)|facture du|[ée]mise? le|data (di )?(emissione|fattura)|data (de |da )?(emiss[ãa]o|fatura)|factuurdatum|data wystawienia|дата|日期|発行日/i;

/** Generic captions as in letterheads: the date of the letter unless the line says otherwise. */
const PLAIN_CAPTION = /^(date|datum|fecha|data|le|den|dato)\b/i;

/** Captions of other dates: due, periods, readings, birth, contracts. */
const OTHER_DAY =
  /due|pay(able|ment)? by|f[äa]llig|zahlbar|vencimiento|vence|[ée]ch[ée]ance|prélevé|scadenza|termin|vervald|period|zeitraum|periodo|p[ée]riode|from .* to|vom .* bis|du .* au|del .* al|reading|ablesung|lectura|relev[ée] le|birth|geburt|nacimiento|naissance|nascita|contract|vertrag|next|nächste|pr[óo]xim|prochain|since|seit|expir|valid|g[üu]ltig/i;

/** Countries whose letters write the month first. */
const MONTH_FIRST_COUNTRIES = new Set(['USA']);

/** Detects the order of day and month by any unambiguous date, else by the country. */
export function detectDateOrder(text: string, country: string | null): DateOrder {
  const parts = [...text.matchAll(/(?<!\d)(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)/g)];
  if (parts.some(([, first]) => Number(first) > 12)) return 'day-first';
  if (parts.some(([, , second]) => Number(second) > 12)) return 'month-first';
  return country !== null && MONTH_FIRST_COUNTRIES.has(country) ? 'month-first' : 'day-first';
}

/** The first date that is at most two years after the day of reading and at most a century old. */
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
 * The date of a letter: the one under its caption, else one on a line of its own, else the latest date of the letter
 * that is not in the future.
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
    // A date in the future is a due date, whatever its caption was read as.
    candidates.push({ date: lineDate, weight: lineDate > today ? Math.min(weight, 0.1) : weight });
  }
  const [best] = candidates.sort((a, b) => b.weight - a.weight || (a.date < b.date ? 1 : -1));
  return best === undefined || best.weight <= 0.1 ? null : best.date;
}
