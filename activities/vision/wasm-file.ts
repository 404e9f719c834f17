import { readFile } from 'node:fs/promises';

/**
 * The bytes of a WebAssembly module that a package ships, so that nothing is fetched to run it.
 *
 * @param file resolved path
 */
export async function readWasm(file: string): Promise<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = await readFile(file);
  return buffer.slice(byteOffset, byteOffset + byteLength);
}
