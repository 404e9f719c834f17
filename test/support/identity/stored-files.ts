import { identifyFile } from '../../../lib/files/identify';
import type { FileType } from '../../../lib/files/identify';
import type { StoredFile } from '../../../lib/files/stored-file';

/** A file as the service stores it; content of no known format is stored as `fallback`. */
export const storeFile = (
  body: Uint8Array,
  organisationId = 'org_test',
  fallback: FileType = 'image/jpeg',
): StoredFile => ({
  organisationId,
  type: identifyFile(Buffer.from(body.buffer, body.byteOffset, body.byteLength))?.type ?? fallback,
  body,
});
