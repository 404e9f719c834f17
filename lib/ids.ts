import { randomInt } from 'node:crypto';
import { decodeTime, monotonicFactory } from 'ulid';

/** Prefixes of globally unique ids, one for each kind of record. */
export type IdPrefix =
  | 'org'
  | 'usr'
  | 'key'
  | 'ses'
  | 'chk'
  | 'fac'
  | 'fpk'
  | 'chl'
  | 'evd'
  | 'wfl'
  | 'whk'
  | 'evt'
  | 'dlv'
  | 'att'
  | 'aml'
  | 'alv'
  | 'hit'
  | 'mon'
  | 'kyb'
  | 'obx'
  | 'aud'
  | 'req'
  | 'log'
  | 'fam'
  | 'bws'
  | 'ren'
  | 'era'
  | 'shr'
  | 'reg'
  | 'blk'
  | 'exp'
  | 'msg'
  | 'txv'
  | 'lnk'
  | 'lgo'
  | 'prc'
  | 'lea'
  | 'cpl'
  | 'cpb'
  | 'nte';

/** Unlike `randomBytes`, `randomInt` takes from a buffer of random bytes instead of calling OpenSSL for each character. */
const nextUlid = monotonicFactory(() => randomInt(256) / 256);

/** A prefixed ULID such as `ses_01J…`: sortable by time, increasing within one process. */
export const newId = <P extends IdPrefix>(prefix: P): `${P}_${string}` => `${prefix}_${nextUlid()}`;

/** Creation time of an id of the form of {@link buildIdPattern}. @throws Error for any other text */
export const getIdTime = (id: string): Date => new Date(decodeTime(id.slice(id.indexOf('_') + 1)));

/** A ULID has 128 bits, so that its first character is at most 7. */
const ULID_PATTERN = '[0-7][0-9A-HJKMNP-TV-Z]{25}';
const ULID = new RegExp(`^${ULID_PATTERN}$`);

/** The form of an id, as a regular expression for schemas. */
export const buildIdPattern = (...prefixes: IdPrefix[]): string =>
  `^${prefixes.length === 1 ? prefixes.join('') : `(?:${prefixes.join('|')})`}_${ULID_PATTERN}$`;

/** Whether a text is an id with the prefix. */
export const isId = (prefix: IdPrefix, value: string): boolean =>
  value.startsWith(`${prefix}_`) && ULID.test(value.slice(prefix.length + 1));
