import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { businessInfo, businessRoutes } from '../../api/business';
import { identityInfo, documentedIdentityRoutes } from '../../api/identity';
import { buildOpenApiDocument } from '../../api/http/openapi';

/** Writes openapi/*.json from the routes. With --check, writes nothing and fails if one of them is out of date. */
function main(): void {
  const documents = {
    identity: buildOpenApiDocument('identity', documentedIdentityRoutes, identityInfo),
    business: buildOpenApiDocument('business', businessRoutes, businessInfo),
  };
  const check = process.argv.includes('--check');
  const stale: string[] = [];
  for (const [name, document] of Object.entries(documents)) {
    const file = path.join(process.cwd(), 'openapi', `${name}.json`);
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (!check) writeFileSync(file, text);
    else if (readFileSync(file, 'utf8') !== text) stale.push(name);
  }
  if (stale.length > 0) {
    const files = stale.map((name) => `openapi/${name}.json`).join(', ');
    console.error(`${files}: out of date; run \`npm run build -- --openapi\`.`);
    process.exitCode = 1;
  }
}

main();
