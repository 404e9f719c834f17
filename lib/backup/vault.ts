import { createHash, randomBytes } from 'node:crypto';
import { json } from 'node:stream/consumers';
import { hashRaw } from '@node-rs/argon2';
import { z } from 'zod';
import { ConfigError } from '../config-error';
import { decrypt, encrypt } from '../crypto/envelope';
import { openSegments, sealSegments } from '../crypto/segments';
import type { BackupTarget } from './target';

/** Name of the file that says how the key of a target is derived. It contains no secret. */
const HEADER = 'vouch-backup.json';
/** What is encrypted at once, and so held in memory while a file is written. */
const SEGMENT_BYTES = 4 * 1024 * 1024;
const MIN_PASSPHRASE_CHARACTERS = 16;

/** Stronger than for passwords: it is computed once for each command, and protects everything (RFC 9106, second choice). */
const DERIVATION = { memoryCost: 65_536, timeCost: 3, parallelism: 4 } as const;

const headerSchema = z.object({
  format: z.literal(1),
  salt: z.string(),
  memoryCost: z.number().int(),
  timeCost: z.number().int(),
  parallelism: z.number().int(),
  /** A known text, encrypted with the key. */
  check: z.string(),
});

type Header = z.infer<typeof headerSchema>;

const CHECK_TEXT = Buffer.from('vouch-backup', 'utf8');

/** What was written to a file. */
export interface FileDigest {
  /** Bytes before encryption. */
  bytes: number;
  /** SHA-256 of these bytes, hex. */
  sha256: string;
}

/** The encrypted files of a target: AES-256-GCM, with a key per file that is derived from the passphrase and its name. */
export interface BackupVault extends Pick<BackupTarget, 'list' | 'listFolders' | 'remove' | 'removeFolder'> {
  write(name: string, source: AsyncIterable<Buffer>): Promise<FileDigest>;
  /** @throws AlteredObjectError if the file is not what was written, in the course of reading */
  read(name: string): AsyncIterable<Buffer>;
}

async function readHeader(target: BackupTarget): Promise<Header | null> {
  if (!(await target.list(HEADER)).includes(HEADER)) return null;
  return headerSchema.parse(await json(target.read(HEADER)));
}

const deriveKey = (passphrase: string, { salt, ...options }: Omit<Header, 'check' | 'format'>): Promise<Buffer> =>
  hashRaw(passphrase, { ...options, salt: Buffer.from(salt, 'base64'), outputLen: 32 });

async function createHeader(target: BackupTarget, passphrase: string): Promise<Buffer> {
  const derivation = { salt: randomBytes(16).toString('base64'), ...DERIVATION };
  const key = await deriveKey(passphrase, derivation);
  const header: Header = { format: 1, ...derivation, check: encrypt(key, CHECK_TEXT, HEADER).toString('base64') };
  const text = Buffer.from(`${JSON.stringify(header, null, 2)}\n`, 'utf8');
  await target.write(
    HEADER,
    (async function* () {
      yield await Promise.resolve(text);
    })(),
  );
  return key;
}

async function openKey(target: BackupTarget, passphrase: string, create: boolean): Promise<Buffer> {
  const header = await readHeader(target);
  if (header === null) {
    if (create) return createHeader(target, passphrase);
    throw new ConfigError(`There is no backup: the target has no ${HEADER}.`);
  }
  const key = await deriveKey(passphrase, header);
  try {
    decrypt(key, Buffer.from(header.check, 'base64'), HEADER);
  } catch {
    throw new ConfigError(
      'BACKUP_KEY_FILE: is not the passphrase with which the backups of this target were encrypted.',
    );
  }
  return key;
}

/**
 * Opens the files of a target.
 * @param create whether a target without backups is prepared for its first
 * @throws ConfigError for a passphrase that is too short or not that of the target
 */
export async function openVault(target: BackupTarget, passphrase: string, create: boolean): Promise<BackupVault> {
  if (passphrase.length < MIN_PASSPHRASE_CHARACTERS)
    throw new ConfigError(`BACKUP_KEY_FILE: accepts a passphrase of at least ${MIN_PASSPHRASE_CHARACTERS} characters.`);
  const key = await openKey(target, passphrase, create);
  return {
    async write(name, source) {
      const hash = createHash('sha256');
      let bytes = 0;
      const measure = async function* (): AsyncGenerator<Buffer> {
        for await (const chunk of source) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      };
      await target.write(name, sealSegments({ key, name }, measure(), SEGMENT_BYTES));
      return { bytes, sha256: hash.digest('hex') };
    },
    read: (name) => openSegments({ key, name }, target.read(name)),
    list: (prefix) => target.list(prefix),
    listFolders: (prefix) => target.listFolders(prefix),
    removeFolder: (prefix) => target.removeFolder(prefix),
    remove: (name) => target.remove(name),
  };
}
