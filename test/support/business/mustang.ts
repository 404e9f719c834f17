import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const VERSION = '2.26.0';
const SHA256 = '42d7868cb68264874a7b8cab4c3587b03b23ccc7cd72373da917f66758bb9736';
const FETCH_TIMEOUT_MS = 100_000;

/** Mustang with veraPDF in one archive, downloaded once by Maven. @returns null without Java, Maven or a registry */
function installMustang(): string | null {
  const folder = path.resolve(process.env['VOUCH_TOOLS_DIR'] ?? '.vouch/tools', `mustang-${VERSION}`);
  const jar = path.join(folder, `Mustang-CLI-${VERSION}.jar`);
  if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0) return null;
  if (existsSync(jar)) return jar;
  mkdirSync(folder, { recursive: true });
  const artifact = `-Dartifact=org.mustangproject:Mustang-CLI:${VERSION}:jar`;
  spawnSync('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], {
    stdio: 'ignore',
    timeout: FETCH_TIMEOUT_MS,
  });
  if (!existsSync(jar)) return null;
  const found = createHash('sha256').update(readFileSync(jar)).digest('hex');
  if (found === SHA256) return jar;
  rmSync(jar);
  throw new Error(`Mustang ${VERSION} has sha256 ${found}, but ${SHA256} is pinned`);
}

/** Report of an independent validator for a Factur-X file: PDF/A-3 by veraPDF, and the rules of EN 16931. */
export type Validator = (bytes: Uint8Array, folder: string) => string;

/** @returns null if the validator is not available: the test is then skipped, which its name states */
export function openValidator(): Validator | null {
  const jar = installMustang();
  if (jar === null) return null;
  return (bytes, folder) => {
    const file = path.join(folder, 'facturx.pdf');
    writeFileSync(file, bytes);
    const options = ['-Xmx1g', '-jar', jar, '--no-notices', '--action', 'validate', '--source', file];
    return spawnSync('java', options, { encoding: 'utf8', cwd: folder }).stdout;
  };
}
