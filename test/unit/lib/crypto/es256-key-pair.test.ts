import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import path from 'node:path';
import { transformFileSync } from '@swc/core';
import { generateEs256KeyPair } from '../../../../lib/crypto/es256-key-pair';
import { EVENT_LIMIT_MS } from '../../../support/limits';

test('a signature of the private key is verified with the coordinates of the public key', () => {
  const { x, y, privateKey } = generateEs256KeyPair();
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
  const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
  const data = Buffer.from('share');
  expect(verify('sha256', data, publicKey, sign('sha256', data, key))).toBe(true);
});

test('key pairs are generated while memory is collected, which stopped Node 20 when a generated key was exported', () => {
  const file = path.resolve(__dirname, '../../../../lib/crypto/es256-key-pair.ts');
  const { code } = transformFileSync(file, {
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'commonjs' },
  });
  const script = `${code}\nfor (let count = 0; count < 10_000; count += 1) exports.generateEs256KeyPair();`;
  // A small young generation is collected every few hundred pairs.
  const args = ['--max-semi-space-size=1', '--eval', script];
  const { status, signal } = spawnSync(process.execPath, args, { timeout: EVENT_LIMIT_MS, killSignal: 'SIGKILL' });
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});
