import { csvField } from '../../domain/business/exports/exports';
import type { Cell, CellKind, ExportColumn } from '../../domain/business/exports/exports';
import { localInstants, plainDecimal } from './cell-text';
import { Compressor } from './compressor';
import type { EncodedPart, PartEncoder } from './part-encoder';

/** How a format of text is made of rows. */
interface TextFormat {
  head: string;
  row: (cells: readonly Cell[]) => string;
  between: string;
  tail: string;
}

type CellWriter = (cell: Cell) => string;

interface TextColumn {
  /** What stands before its value in every row. */
  before: string;
  write: CellWriter;
}

/** Makes rows cell by cell: a list of their texts to be joined would cost a third more. */
const rowMaker =
  (columns: readonly TextColumn[], nothing: string, after: string): TextFormat['row'] =>
  (cells) => {
    let [text, place] = ['', 0];
    for (const { before, write } of columns) {
      const cell = cells[place++];
      text += before;
      text += cell === null || cell === undefined ? nothing : write(cell);
    }
    return text + after;
  };

/** Excel reads a file as UTF-8 when it begins with this mark, and programs that want none know it. */
const BYTE_ORDER_MARK = '\uFEFF';

/** RFC 4180 with a line of names. Texts that begin a formula are made harmless; numbers stay numbers. */
function csv(columns: readonly ExportColumn[], timeZone: string): TextFormat {
  const local = localInstants(timeZone);
  const writers: Record<CellKind, CellWriter> = {
    text: (cell) => csvField(String(cell)),
    integer: String,
    decimal: (cell) => plainDecimal(String(cell)),
    boolean: String,
    day: String,
    instant: (cell) => (cell instanceof Date ? local(cell).text : ''),
  };
  const byColumn = columns.map(({ kind }, place) => ({ before: place === 0 ? '' : ',', write: writers[kind] }));
  return {
    head: `${BYTE_ORDER_MARK}${columns.map(({ name }) => csvField(name)).join(',')}\r\n`,
    row: rowMaker(byColumn, '', '\r\n'),
    between: '',
    tail: '',
  };
}

/** An array of objects, one a line; decimals are numbers, digit by digit as they are kept. */
function json(columns: readonly ExportColumn[], timeZone: string): TextFormat {
  const local = localInstants(timeZone);
  const writers: Record<CellKind, CellWriter> = {
    text: (cell) => JSON.stringify(cell),
    integer: String,
    decimal: (cell) => plainDecimal(String(cell)),
    boolean: String,
    day: (cell) => `"${String(cell)}"`,
    instant: (cell) => (cell instanceof Date ? `"${local(cell).text}"` : 'null'),
  };
  const byColumn = columns.map(({ name, kind }, place) => ({
    before: `${place === 0 ? '{' : ','}${JSON.stringify(name)}:`,
    write: writers[kind],
  }));
  return {
    head: '[\n',
    row: rowMaker(byColumn, 'null', '}'),
    between: ',\n',
    tail: '\n]\n',
  };
}

const FORMATS = { csv, json } as const;

/** What a part of text leaves to the next: whether the file, and whether its rows, have begun. */
interface TextState {
  begun: boolean;
  rows: boolean;
}

const isTextState = (state: unknown): state is TextState =>
  typeof state === 'object' && state !== null && 'begun' in state && 'rows' in state;

/** CSV or JSON in gzip members, one a part. */
export class TextEncoder implements PartEncoder<Cell[]> {
  private readonly member = Compressor.gzip();
  private readonly format: TextFormat;
  private state: TextState;

  constructor(format: keyof typeof FORMATS, columns: readonly ExportColumn[], timeZone: string, state: unknown) {
    this.format = FORMATS[format](columns, timeZone);
    this.state = isTextState(state) ? { ...state } : { begun: false, rows: false };
  }

  get size(): number {
    return this.member.size;
  }

  async add(rows: readonly Cell[][]): Promise<void> {
    const { row, between } = this.format;
    await this.begin();
    if (rows.length === 0) return;
    const text = rows.map(row).join(between);
    await this.member.write(this.state.rows ? between + text : text);
    this.state.rows = true;
  }

  async end(last: boolean): Promise<EncodedPart> {
    await this.begin();
    if (last && this.format.tail !== '') await this.member.write(this.format.tail);
    return { body: await this.member.end(), writer: this.state, files: [] };
  }

  private async begin(): Promise<void> {
    if (this.state.begun) return;
    this.state.begun = true;
    await this.member.write(this.format.head);
  }
}
