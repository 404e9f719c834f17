import type { FileType } from './identify';

/** A file as it was identified when it was sent. Decoders read it as this type and never look for another one. */
export interface StoredFile {
  /** The organisation whose file it is; null for a file of the service itself. */
  organisationId: string | null;
  type: FileType;
  body: Uint8Array;
}
