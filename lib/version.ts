import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';

/** Version of the service, the one of package.json. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(path.join(process.cwd(), 'package.json'), 'utf8'))).version;
