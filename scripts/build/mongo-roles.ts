import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { format } from 'prettier';
import { buildRoles } from './privileges/roles';

/** Writes deploy/mongo/roles.json: what the MongoDB user of each component may do, from the code that it can reach. */
async function main(): Promise<void> {
  const root = process.cwd();
  const text = await format(JSON.stringify(buildRoles(root)), { parser: 'json', printWidth: 120 });
  writeFileSync(path.join(root, 'deploy', 'mongo', 'roles.json'), text);
}

void main();
