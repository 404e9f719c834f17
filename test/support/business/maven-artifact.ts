import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { PROCESS_LIMIT_MS } from '../limits';

/** A file of a Maven repository, with its checksum. */
export interface MavenArtifact {
  group: string;
  name: string;
  version: string;
  sha256: string;
}

/**
 * The archive in the tools folder, downloaded once by Maven.
 * @returns null without Maven or a repository
 */
export function fetchMavenArtifact({ group, name, version, sha256 }: MavenArtifact, folderName: string): string | null {
  const folder = path.resolve(process.env['VOUCH_TOOLS_DIR'] ?? '.vouch/tools', folderName);
  const jar = path.join(folder, `${name}-${version}.jar`);
  if (existsSync(jar)) return jar;
  mkdirSync(folder, { recursive: true });
  const artifact = `-Dartifact=${group}:${name}:${version}:jar`;
  spawnSync('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${folder}`], {
    stdio: 'ignore',
    timeout: PROCESS_LIMIT_MS,
  });
  if (!existsSync(jar)) return null;
  const found = createHash('sha256').update(readFileSync(jar)).digest('hex');
  if (found === sha256) return jar;
  rmSync(jar);
  throw new Error(`${name} ${version} has sha256 ${found}, but ${sha256} is pinned`);
}
