import { hash as hashWithArgon2 } from '@node-rs/argon2';
import fc from 'fast-check';
import { decrypt, encrypt } from '../../../lib/crypto/envelope';
import { MasterKey } from '../../../lib/crypto/master-key';
import { constantTimeEqual } from '../../../lib/crypto/secrets';
import { findMatchingHashes, hashPassword, verifyPassword } from '../../../lib/crypto/passwords';

const key = Buffer.alloc(32, 7);
const formatKeySpec = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

describe('encryption at rest', () => {
  test('encrypted data is decrypted with the same key and context', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), (data, aad) => {
        expect(decrypt(key, encrypt(key, Buffer.from(data), aad), aad)).toEqual(Buffer.from(data));
      }),
    );
  });

  test('decryption fails with a changed bit, another context or another key', () => {
    const sealed = encrypt(key, Buffer.from('evidence'), 'org:ses:evd:1');
    fc.assert(
      fc.property(fc.nat({ max: sealed.length * 8 - 1 }), (bit) => {
        const changed = Buffer.from(sealed);
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
        expect(() => decrypt(key, changed, 'org:ses:evd:1')).toThrow();
      }),
    );
    expect(() => decrypt(key, sealed, 'org:ses:evd:2')).toThrow();
    expect(() => decrypt(Buffer.alloc(32, 8), sealed, 'org:ses:evd:1')).toThrow();
    expect(() => decrypt(key, Buffer.alloc(5), '')).toThrow();
  });

  test('equal plaintexts have different ciphertexts', () => {
    expect(encrypt(key, Buffer.from('same'), '')).not.toEqual(encrypt(key, Buffer.from('same'), ''));
  });

  test('after a rotation the new master key encrypts and the old one still decrypts', () => {
    const before = MasterKey.parse(formatKeySpec('k1', 1));
    const sealed = before.seal('whsec_secret', 'webhook:1');
    const after = MasterKey.parse(`${formatKeySpec('k2', 2)},${formatKeySpec('k1', 1)}`);
    expect(after.open(sealed, 'webhook:1').toString()).toBe('whsec_secret');
    expect(after.seal('x', 'y').keyId).toBe('k2');
    expect(() => after.open(sealed, 'webhook:2')).toThrow();
    expect(() => before.open(after.seal('x', 'y'), 'y')).toThrow(/k2/);
  });

  test('a code authenticates one message for one purpose, also after a rotation', () => {
    const before = MasterKey.parse(formatKeySpec('k1', 1));
    const code = before.authenticate('content', 'audit-entry');
    const after = MasterKey.parse(`${formatKeySpec('k2', 2)},${formatKeySpec('k1', 1)}`);
    expect(after.isAuthentic(code, 'content', 'audit-entry')).toBe(true);
    expect(after.authenticate('content', 'audit-entry')).toMatch(/^k2:[0-9a-f]{64}$/);
    expect(after.isAuthentic(code, 'changed', 'audit-entry')).toBe(false);
    expect(after.isAuthentic(code, 'content', 'audit-chain')).toBe(false);
    expect(after.isAuthentic(code.replace('k1', 'k2'), 'content', 'audit-entry')).toBe(false);
    const stranger = MasterKey.parse(formatKeySpec('k1', 3));
    expect(stranger.isAuthentic(code, 'content', 'audit-entry')).toBe(false);
    expect(['', 'k1', 'k1:', ':', 'k9:00'].some((bad) => after.isAuthentic(bad, 'content', 'audit-entry'))).toBe(false);
  });

  test('a retained key verifies the codes of a master key that was removed, for its purpose only', () => {
    const before = MasterKey.parse(formatKeySpec('k1', 1));
    const [entry, chain] = (['audit-entry', 'audit-chain'] as const).map((purpose) =>
      before.authenticate('content', purpose),
    );
    const after = MasterKey.parse(formatKeySpec('k2', 2));
    expect(after.isAuthentic(entry ?? '', 'content', 'audit-entry')).toBe(false);
    after.addRetainedKey('audit-entry', 'k1', before.deriveKey('audit-entry', 'k1'));
    expect(after.isAuthentic(entry ?? '', 'content', 'audit-entry')).toBe(true);
    expect(after.isAuthentic(chain ?? '', 'content', 'audit-chain')).toBe(false);
    expect(() => after.open(before.seal('x', 'y'), 'y')).toThrow(/k1/);
  });

  test('a retained key does not replace that of a configured master key', () => {
    const masterKey = MasterKey.parse(formatKeySpec('k1', 1));
    const code = masterKey.authenticate('content', 'audit-entry');
    masterKey.addRetainedKey('audit-entry', 'k1', Buffer.alloc(32, 9));
    expect(masterKey.isAuthentic(code, 'content', 'audit-entry')).toBe(true);
  });

  test.each(['', 'k1', 'k1:short', ':AAAA'])('a malformed master key %p is rejected', (text) => {
    expect(() => MasterKey.parse(text)).toThrow(/MASTER_KEY/);
  });
});

describe('secrets', () => {
  test('accounts that share a salt are verified together, others apart', async () => {
    const first = await hashPassword('correct horse battery');
    const second = await hashPassword('another passphrase', first);
    const third = await hashPassword('correct horse battery');
    expect(second.split('$').at(-2)).toBe(first.split('$').at(-2));
    expect(await findMatchingHashes([first, second, third], 'correct horse battery')).toEqual(new Set([first, third]));
    expect(await findMatchingHashes([first, second, third], 'another passphrase')).toEqual(new Set([second]));
    expect(await findMatchingHashes([first, second, third], 'wrong')).toEqual(new Set());
  });

  test('passwords are stored as argon2id; verification without a hash fails', async () => {
    const hash = await hashPassword('correct horse battery');
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await verifyPassword(hash, 'correct horse battery')).toBe(true);
    expect(await verifyPassword(hash, 'wrong')).toBe(false);
    expect([...(await findMatchingHashes([], 'no user has this password'))]).toEqual([]);
  });

  test('a password is verified with the parameters of its hash, which may be those of another version', async () => {
    const stored = await hashWithArgon2('correct horse battery', { memoryCost: 8192, timeCost: 3, parallelism: 1 });
    expect(await verifyPassword(stored, 'correct horse battery')).toBe(true);
    expect(await verifyPassword(stored, 'wrong')).toBe(false);
  });

  test('comparison agrees with equality', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => constantTimeEqual(a, b) === (a === b)));
    expect(constantTimeEqual('', '')).toBe(true);
  });
});
