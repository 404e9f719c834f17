import express from 'express';
import { ConfigError, loadConfig, requireJwtSecret } from '../../../lib/config';
import { requireSafeCookies, requireTransportSecurity } from '../../../lib/transport-security';

const complete = {
  MONGO_URL: 'mongodb://127.0.0.1:27017/vouch?replicaSet=vouch',
  TEMPORAL_ADDRESS: '127.0.0.1:7233',
  S3_ENDPOINT: 'http://127.0.0.1:7070',
  S3_ACCESS_KEY: 'access',
  S3_SECRET_KEY: 'secret',
  MASTER_KEY: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
  JWT_SECRET: 'a secret of at least thirty-two characters',
};

describe('configuration', () => {
  test('a complete environment is parsed and frozen', () => {
    const config = loadConfig({
      ...complete,
      EGRESS_ALLOW: '127.0.0.1:9000, [::1]:9001',
      DNS_SERVERS: '10.0.0.53,[::1]:5353',
    });
    expect(config.EGRESS_ALLOW).toEqual(['127.0.0.1:9000', '[::1]:9001']);
    expect(config.DNS_SERVERS).toEqual(['10.0.0.53', '[::1]:5353']);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test.each([
    ['MONGO_URL', 'postgres://x'],
    ['TEMPORAL_ADDRESS', 'nowhere'],
    ['S3_ENDPOINT', 'not a url'],
    ['S3_ENDPOINT', 'localhost:9000'],
    ['BACKUP_S3_ENDPOINT', 'backups.example:9000'],
    ['TEMPORAL_UI_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'vouch.example:443'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '1'],
    ['TRUSTED_PROXIES', '10/8'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '0.0.0.0/0'],
    ['TRUSTED_PROXIES', '10.0.0.0/8/9'],
    ['TRUSTED_PROXIES', 'proxy.internal'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['LOG_LEVEL', 'loud'],
    ['EGRESS_ALLOW', '10.0.0.0/8'],
    ['EGRESS_ALLOW', 'hooks.internal:99999'],
    ['DNS_SERVERS', '10.0.0.53, resolver.example'],
    ['TEMPORAL_TLS', 'perhaps'],
    ['ALLOWED_ORIGINS', 'https://console.example/'],
    ['ALLOWED_ORIGINS', 'console.example'],
    ['ALLOWED_ORIGINS', '*'],
    ['AUDIT_HEAD_WEBHOOK_URL', 'ftp://audit.example/heads'],
    ['AUDIT_HEAD_WEBHOOK_URL', 'https://user:password@audit.example/heads'],
  ])('a wrong %s stops the start with a message that names it', (name, value) => {
    expect(() => loadConfig({ ...complete, [name]: value })).toThrow(new RegExp(`${name}: `));
  });

  test('addresses, ranges and the named ranges of Express are accepted as proxies', () => {
    const proxies = ['10.0.0.1', '10.0.0.0/8', '172.16.0.0/255.240.0.0', '::1', 'fd00::/8', 'loopback'];
    const config = loadConfig({ ...complete, TRUSTED_PROXIES: proxies.join(', ') });
    expect(config.TRUSTED_PROXIES).toEqual(proxies);
    expect(() => express().set('trust proxy', proxies)).not.toThrow();
  });

  test.each(['MASTER_KEY', 'MONGO_URL'])('a missing %s stops the start with a message that names it', (name) => {
    expect(() => loadConfig({ ...complete, [name]: undefined })).toThrow(name);
  });

  test('the API does not start without JWT_SECRET; a worker needs none', () => {
    const worker = loadConfig({ ...complete, JWT_SECRET: undefined });
    expect(worker.jwtSecrets).toEqual([]);
    expect(() => requireJwtSecret(worker)).toThrow(/^JWT_SECRET: missing/);
    expect(requireJwtSecret(loadConfig(complete))).toBe(complete.JWT_SECRET);
  });

  test('the receiver of signed heads needs an address and secrets of Standard Webhooks', () => {
    const url = 'https://audit.example/heads';
    const [current, earlier] = [1, 2].map((byte) => `whsec_${Buffer.alloc(32, byte).toString('base64')}`);
    const read = (secret: string | undefined, address: string | undefined = url) =>
      loadConfig({ ...complete, AUDIT_HEAD_WEBHOOK_URL: address, AUDIT_HEAD_WEBHOOK_SECRET: secret }).auditHeadWebhook;
    expect(read(`${current}, ${earlier}`)).toEqual({ url, secrets: [current, earlier] });
    expect(loadConfig(complete).auditHeadWebhook).toBeUndefined();
    expect(() => read(undefined)).toThrow('AUDIT_HEAD_WEBHOOK_URL and AUDIT_HEAD_WEBHOOK_SECRET');
    expect(() => read(current, '')).toThrow('AUDIT_HEAD_WEBHOOK_URL and AUDIT_HEAD_WEBHOOK_SECRET');
    for (const wrong of ['secret', `${current},`, 'whsec_c2hvcnQ=', `whsec_${'A'.repeat(100)}`])
      expect(() => read(wrong)).toThrow('AUDIT_HEAD_WEBHOOK_SECRET: accepts whsec_');
  });

  test('several JWT secrets are accepted: the first signs, all verify', () => {
    const [current, earlier] = ['c'.repeat(32), 'e'.repeat(40)];
    expect(loadConfig({ ...complete, JWT_SECRET: ` ${current}, ${earlier}` })).toMatchObject({
      jwtSecrets: [current, earlier],
    });
    const short = { ...complete, JWT_SECRET: `${current},short` };
    expect(() => loadConfig(short)).toThrow('JWT_SECRET: accepts secrets of at least 32 characters each');
  });

  test('production without TLS and without a trusted proxy is rejected', () => {
    const open = loadConfig({ ...complete, NODE_ENV: 'production' });
    expect(() => requireTransportSecurity(open)).toThrow(ConfigError);
    const behindProxy = loadConfig({ ...complete, NODE_ENV: 'production', TRUSTED_PROXIES: '10.0.0.0/8' });
    expect(() => requireTransportSecurity(behindProxy)).not.toThrow();
  });

  test('the origin of the API is allowed unless other origins are configured', () => {
    expect(loadConfig({ ...complete, PUBLIC_URL: 'https://vouch.example/base' }).ALLOWED_ORIGINS).toEqual([
      'https://vouch.example',
    ]);
    const named = loadConfig({ ...complete, ALLOWED_ORIGINS: 'https://a.example, http://localhost:5173' });
    expect(named.ALLOWED_ORIGINS).toEqual(['https://a.example', 'http://localhost:5173']);
  });

  test.each([
    ['https://vouch.example', true],
    ['http://127.0.0.1:3000', true],
    ['http://[::1]:3000', true],
    ['http://localhost:3000', true],
    ['http://vouch.example', false],
    ['http://192.168.1.5:3000', false],
    ['http://localhost.example', false],
    ['ftp://127.0.0.1', false],
  ])('session cookies over %s: %s', (PUBLIC_URL, isSafe) => {
    const check = () => requireSafeCookies(loadConfig({ ...complete, PUBLIC_URL }));
    if (isSafe) expect(check).not.toThrow();
    else expect(check).toThrow(ConfigError);
  });
});
