import { identifyFile } from '../../lib/files/identify';
import type { StoredFile } from '../../lib/files/stored-file';

/** A labelled file as the service stores it. */
export function toStoredFile(body: Buffer): StoredFile {
  const file = identifyFile(body);
  if (file === null) throw new Error('A file is no image or PDF.');
  return { organisationId: 'bench', type: file.type, body };
}
