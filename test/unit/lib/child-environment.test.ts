import { buildChildEnvironment } from '../../../lib/child-environment';

test('the environment of a decoder process contains no secrets and no addresses', () => {
  const environment = buildChildEnvironment({
    PATH: '/usr/bin',
    NODE_OPTIONS: '--max-old-space-size=512',
    MASTER_KEY: 'k1:…',
    MASTER_KEY_FILE: '/secrets/master.key',
    JWT_SECRET: '…',
    S3_SECRET_KEY: '…',
    MONGO_URL: 'mongodb://user:password@host/vouch',
  });
  expect(environment).toEqual({ PATH: '/usr/bin', NODE_OPTIONS: '--max-old-space-size=512' });
});
