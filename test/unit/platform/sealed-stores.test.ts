import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import mongoose, { Schema } from 'mongoose';
import '../../../models';
import { sealedSecretSchema } from '../../../models/platform/keys/sealed-secret';
import { SEALED_STORES } from '../../../services/platform/keys/sealed-stores';

const services = path.resolve(__dirname, '..', '..', '..', 'services');

/** Paths of ids of master keys in a schema, also in embedded objects and lists. */
function findKeyIdPaths(schema: unknown, prefix = ''): string[] {
  const found: string[] = [];
  if (!(schema instanceof Schema)) return found;
  schema.eachPath((name, type) => {
    found.push(...findKeyIdPaths(type.schema, `${prefix}${name}.`));
    if (name.split('.').at(-1) === 'keyId') found.push(`${prefix}${name}`);
  });
  return found;
}

describe('the registry of secrets that are encrypted with the master key', () => {
  test('has every field of a model that holds the id of a master key, so that a rotation misses none', () => {
    const inModels = Object.values(mongoose.models).flatMap(({ schema, collection }) =>
      findKeyIdPaths(schema).map((field) => `${collection.name}.${field}`),
    );
    const registered = SEALED_STORES.flatMap(({ name, keyIdPaths }) => keyIdPaths.map((field) => `${name}.${field}`));
    expect(registered.sort()).toEqual(inModels.sort());
  });

  test('would miss a new field, however deep it is embedded', () => {
    const schema = new Schema({
      factors: [new Schema({ secret: { type: sealedSecretSchema } })],
      'settings.smtp': { type: sealedSecretSchema },
      keyId: String,
    });
    expect(findKeyIdPaths(schema).sort()).toEqual(['factors.secret.keyId', 'keyId', 'settings.smtp.keyId']);
  });

  test('names every source file that encrypts with the master key', () => {
    const files = readdirSync(services, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const sealing = files
      .filter((file) => /masterKey\s*\.seal\(/.test(readFileSync(path.join(services, file), 'utf8')))
      .map((file) => path.posix.join('services', file.split(path.sep).join('/')));
    const registered = SEALED_STORES.map(({ sealedBy }) => sealedBy);
    expect(sealing.sort()).toEqual([...new Set([...registered, 'services/platform/keys/sealed-collection.ts'])].sort());
  });
});
