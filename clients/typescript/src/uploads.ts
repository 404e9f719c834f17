/** A file to upload: its bytes, or the path of a file on this machine. */
export type Upload = Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string;

async function toBlob(upload: Upload): Promise<Blob> {
  if (typeof upload === 'string') {
    // Imported here, so that browsers can bundle the rest.
    const { openAsBlob } = await import('node:fs');
    return openAsBlob(upload);
  }
  return upload instanceof Blob ? upload : new Blob([upload]);
}

const toText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Whether a field's value can be sent as a file. */
const isUpload = (value: unknown): value is Upload =>
  typeof value === 'string' ||
  value instanceof Blob ||
  value instanceof ArrayBuffer ||
  (value instanceof Uint8Array && value.buffer instanceof ArrayBuffer);

/**
 * A multipart body: the fields named in `files` are sent as files, one or several of each, all others as text; fields
 * without a value are omitted. File names are not sent: the service detects the type from the content.
 */
export async function buildMultipart(body: object, files: readonly string[]): Promise<FormData> {
  const form = new FormData();
  for (const [name, value] of Object.entries<unknown>({ ...body })) {
    if (value === undefined) continue;
    if (!files.includes(name)) {
      form.append(name, toText(value));
      continue;
    }
    for (const upload of [value].flat()) {
      if (!isUpload(upload)) throw new TypeError(`${name}: accepts a Blob, bytes or the path of a file.`);
      form.append(name, await toBlob(upload), name);
    }
  }
  return form;
}
