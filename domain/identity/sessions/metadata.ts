import { invalidFieldError } from '../../errors';

export type Metadata = Record<string, unknown>;

const MAX_METADATA_BYTES = 4096;

/** What is accepted as metadata, in words. */
export const METADATA_LIMIT = `accepts at most ${MAX_METADATA_BYTES} bytes of JSON`;

/** Whether metadata is small enough, as JSON in UTF-8. */
export const isWithinMetadataLimit = (metadata: Metadata): boolean =>
  new TextEncoder().encode(JSON.stringify(metadata)).length <= MAX_METADATA_BYTES;

/**
 * The metadata after a change: fields that are sent replace those of the same name, null removes a field, and null as a
 * whole removes all.
 * @throws AppError 400 if the result is too large
 */
export function mergeMetadata(current: Metadata | null, changes: Metadata | null): Metadata | null {
  if (changes === null) return null;
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...changes }).filter(([name, value]) => value !== null || !(name in changes)),
  );
  if (!isWithinMetadataLimit(merged)) throw invalidFieldError('metadata', METADATA_LIMIT);
  return merged;
}
