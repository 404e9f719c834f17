import { BYTE_ORDER_MARK, formatCsvField } from '../../domain/business/exports/exports';
import type { Cell, CellKind, ExportColumn } from '../../domain/business/exports/exports';
import { createLocalInstantReader, formatPlainDecimal } from './cell-text';
import { Compressor } from './compressor';
import type { EncodedPart, PartEncoder } from './part-encoder';

/** How rows are written in a text format. */
interface TextFormat {
  header: string;
  row: (cells: readonly Cell[]) => string;
  separator: string;
  footer: string;
}

type CellWriter = (cell: Cell) => string;

interface TextColumn {
  /** Text before the value of each column. */
  prefix: string;
  write: CellWriter;
}

/** Appends cell by cell, which is a third faster than joining a list of texts. */
const createRowSerializer =
  (columns: readonly TextColumn[], nullText: string, rowSuffix: string): TextFormat['row'] =>
  (cells) => {
    let [text, index] = ['', 0];
    for (const { prefix, write } of columns) {
      const cell = cells[index++];
      text += prefix;
      text += cell === null || cell === undefined ? nullText : write(cell);
    }
    return text + rowSuffix;
  };

/** RFC 4180 with a header line. Texts that start a formula are escaped; numbers remain numbers. */
function createCsvFormat(columns: readonly ExportColumn[], timeZone: string): TextFormat {
  const readLocalInstant = createLocalInstantReader(timeZone);
  const writers: Record<CellKind, CellWriter> = {
    text: (cell) => formatCsvField(String(cell)),
    integer: String,
    decimal: (cell) => formatPlainDecimal(String(cell)),
    boolean: String,
    day: String,
    instant: (cell) => (cell instanceof Date ? readLocalInstant(cell).text : ''),
  };
  const textColumns = columns.map(({ kind }, index) => ({ prefix: index === 0 ? '' : ',', write: writers[kind] }));
  return {
    header: `${BYTE_ORDER_MARK}${columns.map(({ name }) => formatCsvField(name)).join(',')}\r\n`,
    row: createRowSerializer(textColumns, '', '\r\n'),
    separator: '',
    footer: '',
  };
}

/** Objects in JSON; decimals are numbers with exactly the stored digits. */
function createObjectSerializer(columns: readonly ExportColumn[], timeZone: string): TextFormat['row'] {
  const readLocalInstant = createLocalInstantReader(timeZone);
  const writers: Record<CellKind, CellWriter> = {
    text: (cell) => JSON.stringify(cell),
    integer: String,
    decimal: (cell) => formatPlainDecimal(String(cell)),
    boolean: String,
    day: (cell) => `"${String(cell)}"`,
    instant: (cell) => (cell instanceof Date ? `"${readLocalInstant(cell).text}"` : 'null'),
  };
  const textColumns = columns.map(({ name, kind }, index) => ({
    prefix: `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    write: writers[kind],
  }));
  return createRowSerializer(textColumns, 'null', '}');
}

/** An array with one object per line. */
const createJsonFormat = (columns: readonly ExportColumn[], timeZone: string): TextFormat => ({
  header: '[\n',
  row: createObjectSerializer(columns, timeZone),
  separator: ',\n',
  footer: '\n]\n',
});

/** One object per line, each ended by a line feed, so that a reader needs no parser for the whole file. */
function createNdjsonFormat(columns: readonly ExportColumn[], timeZone: string): TextFormat {
  const row = createObjectSerializer(columns, timeZone);
  return { header: '', row: (cells) => `${row(cells)}\n`, separator: '', footer: '' };
}

const FORMATS = { csv: createCsvFormat, json: createJsonFormat, ndjson: createNdjsonFormat } as const;

/** State after a part of text: whether the file and its rows have been started. */
interface TextState {
  begun: boolean;
  rows: boolean;
}

const isTextState = (state: unknown): state is TextState =>
  typeof state === 'object' && state !== null && 'begun' in state && 'rows' in state;

/** CSV, JSON or NDJSON as gzip, with one member per part. */
export class TextPartEncoder implements PartEncoder<Cell[]> {
  private readonly member = Compressor.gzip();
  private readonly format: TextFormat;
  private state: TextState;

  constructor(format: keyof typeof FORMATS, columns: readonly ExportColumn[], timeZone: string, state: unknown) {
    this.format = FORMATS[format](columns, timeZone);
    this.state = isTextState(state) ? { ...state } : { begun: false, rows: false };
  }

  /** Compressed bytes so far, without those that the compressor still holds. */
  get size(): number {
    return this.member.size;
  }

  /** Writes rows, after the header of the file in the first part; separators continue from part to part. */
  async add(rows: readonly Cell[][]): Promise<void> {
    const { row, separator } = this.format;
    await this.begin();
    if (rows.length === 0) return;
    const text = rows.map(row).join(separator);
    await this.member.write(this.state.rows ? separator + text : text);
    this.state.rows = true;
  }

  /**
   * Ends the gzip member of the part; the last part also has the footer of the format, such as the end of a JSON array.
   */
  async end(last: boolean): Promise<EncodedPart> {
    await this.begin();
    if (last && this.format.footer !== '') await this.member.write(this.format.footer);
    return { body: await this.member.end(), writer: this.state, files: [] };
  }

  private async begin(): Promise<void> {
    if (this.state.begun) return;
    this.state.begun = true;
    await this.member.write(this.format.header);
  }
}
