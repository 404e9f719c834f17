import type { Cell, CellKind, ExportColumn } from '../../domain/business/exports/exports';
import { localInstants, plainDecimal } from './cell-text';

/** The rows a sheet can have (ECMA-376); the first holds the names. */
export const MOST_SHEET_ROWS = 1_048_576;
/** The characters a cell can have. */
const MOST_CHARACTERS = 32_767;

const DAY_MS = 86_400_000;
/** Days from the beginning of a spreadsheet's calendar to 1970. */
const EPOCH_DAYS = 25_569;
/** Before it, spreadsheets count a 29 February 1900 that never was. */
const FIRST_SAFE_DAY = '1900-03-01';

const DATE_STYLE = 1;
const INSTANT_STYLE = 2;
const HEAD_STYLE = 3;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** The control characters and others that XML 1.0 forbids, and the one it would change; those from U+007F on it holds. */
const UNHELD = /[^\P{Cc}\t\n\x7f-\x9f]|[\ufffe\uffff]/gu;

/** Characters that XML cannot hold, and texts that look like their escape, as ECMA-376 writes them (ST_Xstring). */
const escapedCharacters = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(UNHELD, (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`);

const NEEDS_ESCAPE = /[&<>"\p{Cc}\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/u;

/** A text as the content of an element. */
export function xmlText(text: string): string {
  const held = text.length > MOST_CHARACTERS ? text.slice(0, MOST_CHARACTERS) : text;
  if (!NEEDS_ESCAPE.test(held)) return held;
  return escapedCharacters(held).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
}

/** `A`, `B` … `Z`, `AA` … */
export function columnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnLetters(Math.floor(index / 26) - 1) + letter;
}

const serialDay = (wallMs: number): string => String(wallMs / DAY_MS + EPOCH_DAYS);

const inline = (place: string, text: string, style = ''): string =>
  `<c r="${place}"${style} t="inlineStr"><is><t xml:space="preserve">${xmlText(text)}</t></is></c>`;

type CellWriter = (place: string, cell: Cell) => string;

/** Makes rows: numbers are numbers, days and instants dates, everything else text, which no spreadsheet calculates. */
export function sheetRows(columns: readonly ExportColumn[], timeZone: string) {
  const local = localInstants(timeZone);
  const number: CellWriter = (place, cell) => `<c r="${place}"><v>${plainDecimal(String(cell))}</v></c>`;
  const writers: Record<CellKind, CellWriter> = {
    text: (place, cell) => inline(place, String(cell)),
    integer: number,
    decimal: number,
    boolean: (place, cell) => `<c r="${place}" t="b"><v>${cell === true ? 1 : 0}</v></c>`,
    day: (place, cell) => {
      const day = String(cell);
      if (day < FIRST_SAFE_DAY) return inline(place, day);
      return `<c r="${place}" s="${DATE_STYLE}"><v>${serialDay(Date.parse(`${day}T00:00:00Z`))}</v></c>`;
    },
    instant: (place, cell) =>
      cell instanceof Date
        ? `<c r="${place}" s="${INSTANT_STYLE}"><v>${serialDay(local(cell).wallMs)}</v></c>`
        : inline(place, String(cell)),
  };
  const byColumn = columns.map(({ kind }, index) => ({ letters: columnLetters(index), write: writers[kind] }));
  return {
    head: `<row r="1">${columns.map(({ name }, index) => inline(`${columnLetters(index)}1`, name, ` s="${HEAD_STYLE}"`)).join('')}</row>`,
    /** @param row from 1 */
    row(row: number, cells: readonly Cell[]): string {
      let text = `<row r="${row}">`;
      byColumn.forEach(({ letters, write }, index) => {
        const cell = cells[index];
        if (cell !== null && cell !== undefined) text += write(`${letters}${row}`, cell);
      });
      return `${text}</row>`;
    },
  };
}

/** Wide enough for what such columns hold. */
const WIDTHS: Readonly<Record<CellKind, number>> = {
  text: 22,
  integer: 10,
  decimal: 14,
  boolean: 10,
  day: 12,
  instant: 20,
};

/** A sheet up to its first row. The line of names stays in sight. */
export const sheetHead = (columns: readonly ExportColumn[]): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
  columns
    .map(({ kind }, at) => `<col min="${at + 1}" max="${at + 1}" width="${WIDTHS[kind]}" customWidth="1"/>`)
    .join('') +
  '</cols><sheetData>';

export const SHEET_TAIL = '</sheetData></worksheet>';

export const sheetPath = (sheet: number): string => `xl/worksheets/sheet${sheet}.xml`;

/** The small files around the sheets. */
export function workbookFiles(title: string, sheets: number): { name: string; text: string }[] {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const sheetName = (sheet: number): string => (sheets === 1 ? title : `${title} ${sheet}`).slice(0, 31);
  const part = (name: string, type: string): string =>
    `<Override PartName="/${name}" ContentType="${CONTENT}.${type}+xml"/>`;
  const relation = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${RELATIONSHIPS}/${type}" Target="${target}"/>`;
  const relations = (text: string): string =>
    `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${text}</Relationships>`;
  return [
    {
      name: '[Content_Types].xml',
      text:
        `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        `${part('xl/workbook.xml', 'sheet.main')}${part('xl/styles.xml', 'styles')}` +
        `${numbers.map((sheet) => part(sheetPath(sheet), 'worksheet')).join('')}</Types>`,
    },
    { name: '_rels/.rels', text: relations(relation(1, 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      text:
        `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>` +
        numbers
          .map((sheet) => `<sheet name="${xmlText(sheetName(sheet))}" sheetId="${sheet}" r:id="rId${sheet}"/>`)
          .join('') +
        '</sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: relations(
        numbers.map((sheet) => relation(sheet, 'worksheet', `worksheets/sheet${sheet}.xml`)).join('') +
          relation(sheets + 1, 'styles', 'styles.xml'),
      ),
    },
    { name: 'xl/styles.xml', text: STYLES },
  ];
}

/** Plain, day, instant and the bold line of names, in the order of the style numbers above. */
const STYLES =
  `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
