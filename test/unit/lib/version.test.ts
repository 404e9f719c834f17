import { businessInfo } from '../../../api/business';
import { identityInfo } from '../../../api/identity';
import { version as clientVersion } from '../../../clients/typescript/package.json';
import { VERSION } from '../../../lib/version';
import { version } from '../../../package.json';

test('the service, both OpenAPI documents and the client have the version of package.json', () => {
  expect([VERSION, identityInfo.version, businessInfo.version, clientVersion]).toEqual([
    version,
    version,
    version,
    version,
  ]);
});
