import { readFile } from 'node:fs/promises';

/**
 * Reads a WebAssembly module from an npm package, so that nothing is downloaded at run time.
 *
 * @param file resolved path
 */
export async function readWasm(file: string): Promise<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = await readFile(file);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}
