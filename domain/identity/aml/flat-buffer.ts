/**
 * Number arrays stored consecutively in one SharedArrayBuffer, so that all threads of a process read the same bytes.
 * Layout: length of the directory (4 bytes), directory in JSON, arrays aligned to 8 bytes.
 */
export type Section = Uint8Array | Uint32Array;

interface DirectoryEntry {
  name: string;
  wide: boolean;
  offset: number;
  length: number;
}

const alignOffset = (offset: number): number => Math.ceil(offset / 8) * 8;
const LENGTH_BYTES = 4;

/** Copies named arrays of numbers into one block of memory that threads share, behind a directory of them. */
export function packSections(sections: Readonly<Record<string, Section>>): SharedArrayBuffer {
  const directoryEntries: DirectoryEntry[] = [];
  let size = 0;
  for (const [name, section] of Object.entries(sections)) {
    directoryEntries.push({ name, wide: section instanceof Uint32Array, offset: size, length: section.length });
    size = alignOffset(size + section.byteLength);
  }
  const directory = new TextEncoder().encode(JSON.stringify(directoryEntries));
  const start = alignOffset(LENGTH_BYTES + directory.length);
  const buffer = new SharedArrayBuffer(start + size);
  new Uint32Array(buffer, 0, 1)[0] = directory.length;
  new Uint8Array(buffer, LENGTH_BYTES, directory.length).set(directory);
  for (const { name, offset } of directoryEntries) {
    const section = sections[name];
    if (section === undefined) continue;
    const bytes = new Uint8Array(section.buffer, section.byteOffset, section.byteLength);
    new Uint8Array(buffer, start + offset, bytes.length).set(bytes);
  }
  return buffer;
}

/** Opens the arrays of a buffer without copying them. */
export function openSections(buffer: SharedArrayBuffer): {
  bytes(name: string): Uint8Array;
  numbers(name: string): Uint32Array;
} {
  const length = new Uint32Array(buffer, 0, 1)[0] ?? 0;
  // TextDecoder does not accept shared memory.
  const directory = new Uint8Array(new Uint8Array(buffer, LENGTH_BYTES, length));
  const directoryEntries = new Map(
    (JSON.parse(new TextDecoder().decode(directory)) as DirectoryEntry[]).map((place) => [place.name, place]),
  );
  const start = alignOffset(LENGTH_BYTES + length);
  const findSection = (name: string): DirectoryEntry => {
    const found = directoryEntries.get(name);
    if (found === undefined) throw new RangeError(`The buffer has no section ${name}.`);
    return found;
  };
  return {
    bytes(name) {
      const { offset, length: count } = findSection(name);
      return new Uint8Array(buffer, start + offset, count);
    },
    numbers(name) {
      const { offset, length: count } = findSection(name);
      return new Uint32Array(buffer, start + offset, count);
    },
  };
}

/** 32-bit FNV-1a hash of an ASCII text. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    hash ^= text.charCodeAt(at);
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
