import { getMiddle } from './layout';
import { parsePrintedDates } from '../printed-dates';
import type { DateOrder } from '../printed-dates';
import { findValueAfter } from './layout';
import type { TextPiece } from './layout';

/** Captions of the date of a letter, in the languages of `detectLanguage`, the definite ones first. */
const ISSUE_CAPTION =
  /(invoice|bill(ing)?|statement|letter|tax point) ?date|date of (issue|invoice|bill|statement|letter)|issued? (on|date)|rechnungsdatum|ausstellungsdatum|erstellt am|kontoauszug vom|bescheid vom|fecha de (emisi[óo]n|la? ?factura|expedici[óo]n|facturaci[óo]n)|date (de la |de |d['’ ])?([ée]mission|facture|facturation|l['’]avis)|facture du|[ée]mise? le|data (di )?(emissione|fattura)|data (de |da )?(emiss[ãa]o|fatura)|factuurdatum|data wystawienia|wystawiono|notadatum|dagtekening|ημερομηνία έκδοσης|ημ\.? ?έκδοσης|дата (?:выставления|счета|выписки|составления|формирования)|تا ?ريخ (?:الإ ?صدار|الا ?صدار|ا?ل?فاتورة|الفوترة|ال?تحرير|ال?كشف)|תאריך (?:ה?חשבון|ה?חשבונית|ה?הפקה|ה?עריכה|ה?הנפקה|ה?מכתב)|(?:बिल|जारी(?: करने)?(?: की)?|पत्र|विवरण)\s?(?:की )?(?:दिनांक|तिथि|तारीख)|วันที่\s?(?:ออก|แจ้ง|พิมพ์|ในใบแจ้ง)|日期|発行日/i;

/** Generic captions as in letterheads: the date of the letter unless the line says otherwise. */
const PLAIN_CAPTION =
  /^(?:(?:date|datum|fecha|data|le|den|dato)\b|дата(?!\p{L})|ημερομηνία(?!\p{L})|تا ?ريخ(?!\p{L})|התאריך|תאריך|दिनांक|तारीख|วันที่)/iu;

/** Captions of days on which something is paid, and of birth, contracts and readings: never the date of the letter. */
const NEVER_ISSUED =
  /due|pay(able|ment)? (by|date|on)|direct debit|debited|collect(ed|ion)|f[äa]llig|zahlbar|abgebucht|abbuchung|eingezogen|einzug|lastschrift|vencimiento|vence|carg[oa]|domiciliaci[óo]n|cobro|pago|l[íi]mite|[ée]ch[ée]ance|pr[ée]l[èe]v|limite de paiement|payer|scadenza|addebito|pagament|d[ée]bito|termin p[łl]atno|termin zap|p[łl]atne|zap[łl]aty|vervald|incasso|afgeschreven|betaal|betalen|λήξη|λήξης|πληρωμ|εξόφληση|πάγια|оплатить|оплаты|срок|استحقا|الا ?ستحقاق|سداد|دفع|ميلاد|قراءة|לתשלום|פירעון|תשלום|חיוב|לידה|קריאה|अंतिम|भुगतान|देय|जन्म|रीडिंग|ครบก|ช.{0,2}ระ|กำหนด|เกิด|อ่าน|birth|geburt|nacimiento|naissance|nascita|contract|contrat|vertrag|contrato|reading|ablesung|lectura|relev[ée] le|next|nächste|pr[óo]xim|prochain|since|seit|desde|expir|valid|g[üu]ltig/i;

/** Captions of periods, whose dates are near that of the letter. */
const PERIOD =
  /period|zeitraum|periodo|p[ée]riode|okres|περίοδο|период|فترة|תקופ|अवधि|รอบ|from .* to|vom .* bis|du .* au|del .* al|dal .* al|od .* do|van .* tot/i;

/** Countries whose letters write the month first. */
const MONTH_FIRST_COUNTRIES = new Set(['USA']);

/** Detects the order of day and month by any unambiguous date, else by the country. */
export function detectDateOrder(text: string, country: string | null): DateOrder {
  const parts = [...text.matchAll(/(?<!\d|\d[./-])(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})(?!\d)/g)];
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

/** The text to the left of a line, or above it in its column, which may be its caption in a table. */
function findCaptions(line: TextPiece, lines: readonly TextPiece[]): string[] {
  const height = line.bottom - line.top;
  const near = lines.filter((other) => other !== line && other.page === line.page);
  const left = near
    .filter((other) => Math.abs(getMiddle(other) - getMiddle(line)) < 0.6 * height && other.right <= line.left)
    .sort((a, b) => b.right - a.right);
  const above = near
    .filter(
      (other) =>
        other.bottom <= getMiddle(line) &&
        line.top - other.top < 2.6 * height &&
        other.left < line.right &&
        other.right > line.left,
    )
    .sort((a, b) => b.top - a.top);
  return [...left.slice(0, 1), ...(left.length > 0 ? [] : above.slice(0, 1))].map(({ text }) => text);
}

/** How likely a date without the caption of the date of issue is that of the letter; 0: not at all. */
function weighDate(line: TextPiece, date: string, lines: readonly TextPiece[], today: string): number {
  // Dates in tables have their captions next to them.
  const isAlone = /^[^\p{L}]*(?:\p{L}+\.?[^\p{L}]*){0,3}$/u.test(line.text);
  // In a paragraph the day of payment may be on the line after its verb.
  const before = lines[lines.indexOf(line) - 1];
  const context = [line.text, ...(isAlone ? findCaptions(line, lines) : before === undefined ? [] : [before.text])];
  if (context.some((text) => NEVER_ISSUED.test(text))) return 0;
  // A date in the future is a due date, whatever its caption was read as.
  if (date > today) return 0.1;
  if (context.some((text) => PERIOD.test(text))) return 0.2;
  if (PLAIN_CAPTION.test(line.text)) return 3;
  return line.text.length < 40 ? 2 : 1;
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
    // "Invoice due date" is no date of issue.
    const caption = NEVER_ISSUED.test(line.text.split(':')[0] ?? '') ? null : ISSUE_CAPTION.exec(line.text);
    if (caption !== null) {
      const rest = line.text.slice(caption.index + caption[0].length).replace(/^[\s:.]+/, '');
      const value = findValueAfter(line, rest, lines);
      const date = value === null ? undefined : findPlausibleDate(parsePrintedDates(value.text, order), today);
      if (date !== undefined) candidates.push({ date, weight: 4 });
    }
    const lineDate = findPlausibleDate(parsePrintedDates(line.text, order), today);
    if (lineDate === undefined || caption !== null) continue;
    candidates.push({ date: lineDate, weight: weighDate(line, lineDate, lines, today) });
  }
  const [best] = candidates.sort((a, b) => b.weight - a.weight || (a.date < b.date ? 1 : -1));
  return best === undefined || best.weight <= 0.1 ? null : best.date;
}
