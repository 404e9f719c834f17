import type { Cell, CellKind, ExportColumn } from '../../domain/business/exports/exports';
import { escapeXmlMarkup } from '../../domain/xml-escape';
import { createLocalInstantReader, formatPlainDecimal } from './cell-text';
import { DAY_MS } from '../../domain/durations';

/** Maximum number of rows of a sheet (ECMA-376); the first row contains the column names. */
export const MAX_SHEET_ROWS = 1_048_576;
/** Maximum number of characters of a cell. */
const MAX_CELL_CHARACTERS = 32_767;

/** Days from the epoch of spreadsheets to 1970-01-01. */
const EPOCH_DAYS = 25_569;
/** Before this day, spreadsheets count 29 February 1900, which did not exist. */
const FIRST_SAFE_DAY = '1900-03-01';

const DATE_STYLE = 1;
const INSTANT_STYLE = 2;
const HEAD_STYLE = 3;
const DECIMAL_STYLE = 4;

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** The characters that XML 1.0 forbids, and the carriage return, which XML would normalize. */
const XML_FORBIDDEN_CHARACTERS = /[^\P{Cc}\t\n\x7f-\x9f]|[\ufffe\uffff]/gu;

/**
 * Escapes characters that XML cannot contain, and texts that look like such an escape, as ECMA-376 requires
 * (ST_Xstring).
 */
const escapeForbiddenCharacters = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(
      XML_FORBIDDEN_CHARACTERS,
      (character) => `_x${character.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`,
    );

const NEEDS_ESCAPE = /[&<>"\p{Cc}\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/u;

/** Escapes a text as the content of an element. */
export function escapeCellText(text: string): string {
  const truncated = text.length > MAX_CELL_CHARACTERS ? text.slice(0, MAX_CELL_CHARACTERS) : text;
  if (!NEEDS_ESCAPE.test(truncated)) return truncated;
  return escapeXmlMarkup(escapeForbiddenCharacters(truncated));
}

/** `A`, `B` … `Z`, `AA` … */
export function toColumnLetters(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : toColumnLetters(Math.floor(index / 26) - 1) + letter;
}

const toSerialDate = (wallMs: number): string => String(wallMs / DAY_MS + EPOCH_DAYS);

const buildInlineCell = (reference: string, text: string, style = ''): string =>
  `<c r="${reference}"${style} t="inlineStr"><is><t xml:space="preserve">${escapeCellText(text)}</t></is></c>`;

type CellWriter = (reference: string, cell: Cell) => string;

/**
 * Builds rows: numbers as numbers, days and times as dates, everything else as text, which spreadsheets do not
 * evaluate.
 */
export function createRowWriter(columns: readonly ExportColumn[], timeZone: string) {
  const readLocalInstant = createLocalInstantReader(timeZone);
  const writeNumber: CellWriter = (reference, cell) =>
    `<c r="${reference}"><v>${formatPlainDecimal(String(cell))}</v></c>`;
  const writers: Record<CellKind, CellWriter> = {
    text: (reference, cell) => buildInlineCell(reference, String(cell)),
    integer: writeNumber,
    decimal: (reference, cell) =>
      `<c r="${reference}" s="${DECIMAL_STYLE}"><v>${formatPlainDecimal(String(cell))}</v></c>`,
    boolean: (reference, cell) => `<c r="${reference}" t="b"><v>${cell === true ? 1 : 0}</v></c>`,
    day: (reference, cell) => {
      const day = String(cell);
      if (day < FIRST_SAFE_DAY) return buildInlineCell(reference, day);
      return `<c r="${reference}" s="${DATE_STYLE}"><v>${toSerialDate(Date.parse(`${day}T00:00:00Z`))}</v></c>`;
    },
    instant: (reference, cell) =>
      cell instanceof Date
        ? `<c r="${reference}" s="${INSTANT_STYLE}"><v>${toSerialDate(readLocalInstant(cell).wallMs)}</v></c>`
        : buildInlineCell(reference, String(cell)),
  };
  const columnWriters = columns.map(({ kind }, index) => ({ letters: toColumnLetters(index), write: writers[kind] }));
  return {
    head: `<row r="1">${columns.map(({ name }, index) => buildInlineCell(`${toColumnLetters(index)}1`, name, ` s="${HEAD_STYLE}"`)).join('')}</row>`,
    /** @param row from 1 */
    row(row: number, cells: readonly Cell[]): string {
      let text = `<row r="${row}">`;
      columnWriters.forEach(({ letters, write }, index) => {
        const cell = cells[index];
        if (cell !== null && cell !== undefined) text += write(`${letters}${row}`, cell);
      });
      return `${text}</row>`;
    },
  };
}

/** Column widths that fit the values. */
const COLUMN_WIDTHS: Readonly<Record<CellKind, number>> = {
  text: 22,
  integer: 10,
  decimal: 14,
  boolean: 10,
  day: 12,
  instant: 20,
};

/** The XML of a sheet before its first row. The header row is frozen. */
export const buildSheetHead = (columns: readonly ExportColumn[]): string =>
  `${DECLARATION}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>' +
  columns
    .map(({ kind }, at) => `<col min="${at + 1}" max="${at + 1}" width="${COLUMN_WIDTHS[kind]}" customWidth="1"/>`)
    .join('') +
  '</cols><sheetData>';

/** The XML of a sheet after its last row, with filters in the header row. @param rows rows with the header row */
export const buildSheetTail = (columns: readonly ExportColumn[], rows: number): string =>
  `</sheetData><autoFilter ref="A1:${toColumnLetters(columns.length - 1)}${rows}"/></worksheet>`;

/**
 * The path of a sheet in a workbook.
 * @param sheet from 1
 */
export const getSheetPath = (sheet: number): string => `xl/worksheets/sheet${sheet}.xml`;

/** The other files of a workbook. */
export function buildWorkbookFiles(title: string, sheets: number): { name: string; text: string }[] {
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
        `${numbers.map((sheet) => part(getSheetPath(sheet), 'worksheet')).join('')}</Types>`,
    },
    { name: '_rels/.rels', text: relations(relation(1, 'officeDocument', 'xl/workbook.xml')) },
    {
      name: 'xl/workbook.xml',
      text:
        `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${RELATIONSHIPS}"><sheets>` +
        numbers
          .map((sheet) => `<sheet name="${escapeCellText(sheetName(sheet))}" sheetId="${sheet}" r:id="rId${sheet}"/>`)
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

/**
 * Styles for plain cells, days, times, the header row and decimals, in the order of the style numbers above. Decimals
 * have separators of thousands and all of their digits, at least two and at most the 14 that an exchange rate can have.
 */
const STYLES =
  `${DECLARATION}<styleSheet xmlns="${MAIN}"><numFmts count="3"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd"/>` +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
  '<numFmt numFmtId="166" formatCode="#,##0.00############"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
  '<cellXfs count="5"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="166" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';
