import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildRoles } from './privileges/roles';

/** Writes deploy/mongo/roles.json: what the MongoDB user of each component may do, from the code that it can reach. */
function main(): void {
  const root = process.cwd();
  writeFileSync(path.join(root, 'deploy', 'mongo', 'roles.json'), `${JSON.stringify(buildRoles(root), null, 2)}\n`);
}

main();
