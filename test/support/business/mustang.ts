import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fetchMavenArtifact } from './maven-artifact';

const VERSION = '2.26.0';
const SHA256 = '42d7868cb68264874a7b8cab4c3587b03b23ccc7cd72373da917f66758bb9736';

/** For a run of seconds, in which the optimising compiler and a parallel collector cost more than they save. */
const JAVA_OPTIONS = ['-Xmx1g', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** Mustang with veraPDF in one archive. @returns null without Java, Maven or a repository */
function installMustang(): string | null {
  if (spawnSync('java', ['-version'], { stdio: 'ignore' }).status !== 0) return null;
  const artifact = { group: 'org.mustangproject', name: 'Mustang-CLI', version: VERSION, sha256: SHA256 };
  return fetchMavenArtifact(artifact, `mustang-${VERSION}`);
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
    const options = [...JAVA_OPTIONS, '-jar', jar, '--no-notices', '--action', 'validate', '--source', file];
    return spawnSync('java', options, { encoding: 'utf8', cwd: folder }).stdout;
  };
}
