/** The client reads files by their path only in Node; pages give it Blobs. */
declare module 'node:fs' {
  export function openAsBlob(path: string): Promise<Blob>;
}
