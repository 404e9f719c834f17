import { ConfigError, loadConfig, requireTransportSecurity } from '../../../lib/config';

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
    const config = loadConfig({ ...complete, EGRESS_ALLOW: '127.0.0.1:9000, [::1]:9001' });
    expect(config.EGRESS_ALLOW).toEqual(['127.0.0.1:9000', '[::1]:9001']);
    expect(Object.isFrozen(config)).toBe(true);
  });

  test.each([
    ['MONGO_URL', 'postgres://x'],
    ['TEMPORAL_ADDRESS', 'nowhere'],
    ['S3_ENDPOINT', 'not a url'],
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['LOG_LEVEL', 'loud'],
    ['EGRESS_ALLOW', '10.0.0.0/8'],
    ['TEMPORAL_TLS', 'perhaps'],
  ])('a wrong %s stops the start with a message that names it', (name, value) => {
    expect(() => loadConfig({ ...complete, [name]: value })).toThrow(new RegExp(`${name}: `));
  });

  test.each(['MASTER_KEY', 'JWT_SECRET', 'MONGO_URL'])(
    'a missing %s stops the start with a message that names it',
    (name) => {
      expect(() => loadConfig({ ...complete, [name]: undefined })).toThrow(name);
    },
  );

  test('production without TLS and without a trusted proxy is refused', () => {
    const open = loadConfig({ ...complete, NODE_ENV: 'production' });
    expect(() => requireTransportSecurity(open)).toThrow(ConfigError);
    const behindProxy = loadConfig({ ...complete, NODE_ENV: 'production', TRUSTED_PROXIES: '10.0.0.0/8' });
    expect(() => requireTransportSecurity(behindProxy)).not.toThrow();
  });
});
