/**
 * Codes of the operating system when the machine has none left of something, such as space, file descriptors, processes
 * or memory, or when its disk has become read-only after a fault.
 */
const SHORTAGE_CODES: ReadonlySet<string> = new Set([
  'ENOSPC',
  'EDQUOT',
  'EMFILE',
  'ENFILE',
  'ENOMEM',
  'EAGAIN',
  'EROFS',
]);

/**
 * Whether an operation failed because this machine has exhausted a resource. It says nothing about what was processed:
 * the same operation may succeed later, or elsewhere.
 */
export function isLocalShortage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string' && SHORTAGE_CODES.has(error.code)) return true;
  return error.cause !== undefined && isLocalShortage(error.cause);
}
