import { crc32, deflateRawSync } from 'node:zlib';
import type { Cell, ExportColumn } from '../../domain/business/exports/exports';
import { Compressor, LAST_BLOCK } from './compressor';
import type { EncodedPart, PartEncoder } from './part-encoder';
import {
  MAX_SHEET_ROWS,
  buildSheetHead,
  buildSheetTail,
  getSheetPath,
  createRowWriter,
  buildWorkbookFiles,
} from './sheet-xml';
import { DEFLATED, encodeDataDescriptor, encodeDirectory, encodeLocalHeader } from './zip-records';
import type { ZipEntry } from './zip-records';

/** A sheet is closed before its XML reaches 4 GiB, the limit of a descriptor without ZIP64. */
const MAX_SHEET_BYTES = 3 * 1024 ** 3;

/** The sheet that is being written. */
interface OpenSheet {
  /** Offset of its header in the file. */
  offset: number;
  /** CRC and size of its XML so far. */
  crc32: number;
  sizeBytes: number;
  /** Compressed bytes in finished parts. */
  storedBytes: number;
  /** Number of rows in the sheet, including the header row. */
  rows: number;
}

interface WorkbookState {
  /** Number of bytes in finished parts. */
  offset: number;
  sheets: ZipEntry[];
  open: OpenSheet | null;
}

const isWorkbookState = (state: unknown): state is WorkbookState =>
  typeof state === 'object' && state !== null && 'sheets' in state && 'open' in state;

export interface WorkbookOptions {
  columns: readonly ExportColumn[];
  timeZone: string;
  title: string;
  createdAt: Date;
  /** @default the maximum of a sheet */
  maxRows?: number | undefined;
}

/**
 * Writes a workbook sheet by sheet. No library can write a workbook that another process continues. Each part contains
 * complete deflate sections, so that the next part needs only the CRC, sizes and offsets.
 */
export class WorkbookEncoder implements PartEncoder<Cell[]> {
  private readonly chunks: Buffer[] = [];
  private readonly rowWriter: ReturnType<typeof createRowWriter>;
  private readonly maxRows: number;
  private compressor: Compressor | null = null;
  private bytes = 0;
  private state: WorkbookState;

  constructor(
    private readonly options: WorkbookOptions,
    state: unknown,
  ) {
    this.rowWriter = createRowWriter(options.columns, options.timeZone);
    this.maxRows = options.maxRows ?? MAX_SHEET_ROWS;
    this.state = isWorkbookState(state)
      ? { ...state, sheets: [...state.sheets], open: state.open === null ? null : { ...state.open } }
      : { offset: 0, sheets: [], open: null };
  }

  /** Compressed bytes of this part so far, without those that the compressor still holds. */
  get size(): number {
    return this.bytes + (this.compressor?.size ?? 0);
  }

  /** Writes rows to the open sheet, and begins another one when it is full. */
  async add(items: readonly Cell[][]): Promise<void> {
    let [from, open] = [0, await this.openSheet()];
    while (from < items.length) {
      if (open.rows >= this.maxRows || open.sizeBytes >= MAX_SHEET_BYTES) {
        await this.closeSheet(open);
        open = await this.openSheet();
      }
      const until = Math.min(items.length, from + this.maxRows - open.rows);
      const first = open.rows + 1 - from;
      const text = items.slice(from, until).map((cells, index) => this.rowWriter.row(first + from + index, cells));
      await this.write(open, text.join(''));
      open.rows += until - from;
      from = until;
    }
  }

  /**
   * The last part closes the sheet and the workbook; others end at a point from which the next part continues the
   * sheet.
   */
  async end(last: boolean): Promise<EncodedPart> {
    const open = await this.openSheet();
    if (last) {
      await this.closeSheet(open);
      this.finish();
    } else await this.endCompression(open);
    const writer = { ...this.state, offset: this.state.offset + this.bytes };
    return { body: Buffer.concat(this.chunks), writer, files: [] };
  }

  private get position(): number {
    return this.state.offset + this.bytes;
  }

  private async openSheet(): Promise<OpenSheet> {
    if (this.state.open !== null) return this.state.open;
    const open: OpenSheet = { offset: this.position, crc32: 0, sizeBytes: 0, storedBytes: 0, rows: 1 };
    this.state.open = open;
    const entry = { name: getSheetPath(this.state.sheets.length + 1), method: DEFLATED } as const;
    this.push(encodeLocalHeader({ ...entry, crc32: 0, storedBytes: 0, sizeBytes: 0 }, this.options.createdAt));
    await this.write(open, buildSheetHead(this.options.columns) + this.rowWriter.head);
    return open;
  }

  private async write(open: OpenSheet, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    open.crc32 = crc32(bytes, open.crc32);
    open.sizeBytes += bytes.length;
    this.compressor ??= Compressor.deflate();
    await this.compressor.write(bytes);
  }

  private async endCompression(open: OpenSheet): Promise<void> {
    if (this.compressor === null) return;
    const bytes = await this.compressor.end();
    this.compressor = null;
    open.storedBytes += bytes.length;
    this.push(bytes);
  }

  private async closeSheet(open: OpenSheet): Promise<void> {
    await this.write(open, buildSheetTail(this.options.columns, open.rows));
    await this.endCompression(open);
    this.push(LAST_BLOCK);
    open.storedBytes += LAST_BLOCK.length;
    const { rows: _, ...sizes } = open;
    this.push(encodeDataDescriptor(sizes));
    this.state.sheets.push({ name: getSheetPath(this.state.sheets.length + 1), method: DEFLATED, ...sizes });
    this.state.open = null;
  }

  /** Writes the other files and the directory. */
  private finish(): void {
    const { createdAt, title } = this.options;
    const entries = [...this.state.sheets];
    for (const { name, text } of buildWorkbookFiles(title, this.state.sheets.length)) {
      const bytes = Buffer.from(text);
      const compressed = deflateRawSync(bytes);
      const sizes = { crc32: crc32(bytes), storedBytes: compressed.length, sizeBytes: bytes.length };
      const entry = { name, method: DEFLATED, ...sizes, offset: this.position } as const;
      entries.push(entry);
      this.push(encodeLocalHeader(entry, createdAt));
      this.push(compressed);
      this.push(encodeDataDescriptor(sizes));
    }
    this.push(encodeDirectory(entries, this.position, createdAt));
  }

  private push(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.bytes += chunk.length;
  }
}
