/**
 * The records of a ZIP archive (PKWARE APPNOTE 6.3.10) for writing without seeking, because an archive in parts can
 * only be appended to. Each file is smaller than 4 GiB; the archive can be larger and contain more than 65,535 files.
 */
const LOCAL_HEADER = 0x04034b50;
const DESCRIPTOR = 0x08074b50;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_END_64 = 0x06064b50;
const DIRECTORY_LOCATOR_64 = 0x07064b50;
const DIRECTORY_END = 0x06054b50;

const VERSION = 20;
const VERSION_64 = 45;
/** Names are UTF-8. */
const UTF8_NAME_FLAG = 0x0800;
/** CRC and sizes follow the bytes. */
const DATA_DESCRIPTOR_FLAG = 0x0008;
const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;

export const STORED = 0;
export const DEFLATED = 8;

/** A file in the directory of an archive. */
export interface ZipEntry {
  name: string;
  method: typeof STORED | typeof DEFLATED;
  crc32: number;
  storedBytes: number;
  sizeBytes: number;
  /** Offset of its header. */
  offset: number;
}

/**
 * Times are written in UTC, because the local time of the reader is unknown, with the two-second resolution of MS-DOS.
 */
function toDosDateTime(at: Date): { time: number; date: number } {
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((Math.max(at.getUTCFullYear(), 1980) - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

const computeFlags = ({ method }: Pick<ZipEntry, 'method'>): number =>
  method === DEFLATED ? UTF8_NAME_FLAG | DATA_DESCRIPTOR_FLAG : UTF8_NAME_FLAG;

/**
 * The header before the bytes of a file. If they are compressed while being written, a descriptor with CRC and sizes
 * follows.
 */
export function encodeLocalHeader(entry: Omit<ZipEntry, 'offset'>, at: Date): Buffer {
  const name = Buffer.from(entry.name);
  const header = Buffer.alloc(30);
  const { time, date } = toDosDateTime(at);
  const isStored = entry.method === STORED;
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(VERSION, 4);
  header.writeUInt16LE(computeFlags(entry), 6);
  header.writeUInt16LE(entry.method, 8);
  header.writeUInt16LE(time, 10);
  header.writeUInt16LE(date, 12);
  header.writeUInt32LE(isStored ? entry.crc32 : 0, 14);
  header.writeUInt32LE(isStored ? entry.storedBytes : 0, 18);
  header.writeUInt32LE(isStored ? entry.sizeBytes : 0, 22);
  header.writeUInt16LE(name.length, 26);
  return Buffer.concat([header, name]);
}

/** The descriptor after the bytes of a file whose CRC and sizes were not known in advance. */
export function encodeDataDescriptor({
  crc32,
  storedBytes,
  sizeBytes,
}: Omit<ZipEntry, 'name' | 'method' | 'offset'>): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt32LE(DESCRIPTOR, 0);
  record.writeUInt32LE(crc32, 4);
  record.writeUInt32LE(storedBytes, 8);
  record.writeUInt32LE(sizeBytes, 12);
  return record;
}

function encodeDirectoryEntry(entry: ZipEntry, at: Date): Buffer {
  const name = Buffer.from(entry.name);
  const needsZip64 = entry.offset >= MAX_32;
  const extra = Buffer.alloc(needsZip64 ? 12 : 0);
  if (needsZip64) {
    extra.writeUInt16LE(0x0001, 0);
    extra.writeUInt16LE(8, 2);
    extra.writeBigUInt64LE(BigInt(entry.offset), 4);
  }
  const record = Buffer.alloc(46);
  const { time, date } = toDosDateTime(at);
  const version = needsZip64 ? VERSION_64 : VERSION;
  record.writeUInt32LE(DIRECTORY_ENTRY, 0);
  record.writeUInt16LE(version, 4);
  record.writeUInt16LE(version, 6);
  record.writeUInt16LE(computeFlags(entry), 8);
  record.writeUInt16LE(entry.method, 10);
  record.writeUInt16LE(time, 12);
  record.writeUInt16LE(date, 14);
  record.writeUInt32LE(entry.crc32, 16);
  record.writeUInt32LE(entry.storedBytes, 20);
  record.writeUInt32LE(entry.sizeBytes, 24);
  record.writeUInt16LE(name.length, 28);
  record.writeUInt16LE(extra.length, 30);
  record.writeUInt32LE(needsZip64 ? MAX_32 : entry.offset, 42);
  return Buffer.concat([record, name, extra]);
}

function encodeZip64End(count: number, size: number, offset: number): Buffer {
  const record = Buffer.alloc(56 + 20);
  record.writeUInt32LE(DIRECTORY_END_64, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(VERSION_64, 12);
  record.writeUInt16LE(VERSION_64, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  record.writeUInt32LE(DIRECTORY_LOCATOR_64, 56);
  record.writeBigUInt64LE(BigInt(offset + size), 64);
  record.writeUInt32LE(1, 72);
  return record;
}

/** The directory at the end of an archive. @param offset start of the directory */
export function encodeDirectory(entries: readonly ZipEntry[], offset: number, at: Date): Buffer {
  const body = Buffer.concat(entries.map((entry) => encodeDirectoryEntry(entry, at)));
  const needsZip64 = entries.length >= MAX_16 || offset >= MAX_32 || body.length >= MAX_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(DIRECTORY_END, 0);
  end.writeUInt16LE(Math.min(entries.length, MAX_16), 8);
  end.writeUInt16LE(Math.min(entries.length, MAX_16), 10);
  end.writeUInt32LE(Math.min(body.length, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  return Buffer.concat([body, ...(needsZip64 ? [encodeZip64End(entries.length, body.length, offset)] : []), end]);
}
