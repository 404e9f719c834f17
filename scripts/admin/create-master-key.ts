import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import { loadKmsSettings } from '../../lib/config';
import { KEY_BYTES } from '../../lib/crypto/envelope';
import { formatMasterKeySpec, isMasterKeyId, KMS_PROVIDERS } from '../../lib/crypto/master-key-spec';
import type { KmsProvider, MasterKeySpec } from '../../lib/crypto/master-key-spec';
import { createKms } from '../../lib/kms/settings';
import { printJson } from './platform';

interface KeyInput {
  id: string;
  provider: 'none' | KmsProvider;
}

/** Adds `create-master-key`, which reads only the settings of the key management service. */
export function addCreateMasterKeyCommand(program: Command): void {
  program
    .command('create-master-key')
    .description(
      'create a master key and print its entry for MASTER_KEY; with a key management service, the entry is encrypted by it. Needs no running service',
    )
    .requiredOption('--id <id>', 'id of the key, never used before, such as k2', parseKeyId)
    .addOption(
      new Option('--provider <service>', 'key management service that encrypts the key')
        .choices(['none', ...KMS_PROVIDERS])
        .default('none'),
    )
    .action(createMasterKeyCommand);
}

function parseKeyId(text: string): string {
  if (!isMasterKeyId(text)) throw new InvalidArgumentError('accepts 1–64 letters, digits, dots, hyphens, underscores.');
  return text;
}

/** Encrypts a key, and decrypts it again, so that no entry is printed that the service could not open later. */
async function encryptKey(id: string, key: Buffer, provider: KmsProvider): Promise<MasterKeySpec> {
  const kms = createKms(provider, loadKmsSettings());
  const ciphertext = await kms.encrypt(key, id);
  const opened = await kms.decrypt(ciphertext, id);
  if (!opened.equals(key)) throw new Error(`${kms.name} decrypted the new key to something else.`);
  return { id, provider, ciphertext };
}

async function createMasterKeyCommand({ id, provider }: KeyInput): Promise<void> {
  const key = randomBytes(KEY_BYTES);
  const spec = provider === 'none' ? { id, key } : await encryptKey(id, key, provider);
  printJson({ keyId: id, provider, entry: formatMasterKeySpec(spec) });
}
