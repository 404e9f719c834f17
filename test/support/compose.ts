import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { evaluate } from './evaluate';

const root = path.resolve(__dirname, '..', '..');

const stringOrNull = z.string().nullish();

const serviceSchema = z.object({
  image: z.string(),
  command: z.array(z.string()).nullish(),
  entrypoint: z.array(z.string()).nullish(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  user: stringOrNull,
  group_add: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  cap_drop: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  read_only: z.boolean().default(false),
  container_name: stringOrNull,
  network_mode: stringOrNull,
  networks: z.record(z.string(), z.unknown()).default({}),
  ports: z.array(z.object({ published: z.string(), host_ip: stringOrNull, target: z.number() })).default([]),
  secrets: z.array(z.object({ source: z.string(), target: z.string() })).default([]),
  profiles: z.array(z.string()).default([]),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  restart: stringOrNull,
  logging: z.object({ driver: z.string(), options: z.record(z.string(), z.string()) }).optional(),
  deploy: z
    .object({ resources: z.object({ limits: z.object({ cpus: z.unknown(), memory: z.string(), pids: z.number() }) }) })
    .optional(),
  healthcheck: z.object({ test: z.array(z.string()).optional(), disable: z.boolean().optional() }).optional(),
});
export type ComposeService = z.infer<typeof serviceSchema>;

const projectSchema = z.object({
  services: z.record(z.string(), serviceSchema),
  networks: z.record(z.string(), z.object({ internal: z.boolean().default(false) })),
  secrets: z.record(z.string(), z.object({ file: z.string() })),
});
export type ComposeProject = z.infer<typeof projectSchema>;

/** Whether this machine can compile the program that resolves compose files and charts. */
export const hasGo = ((): boolean => {
  const [, minor] = /go1\.(\d+)/.exec(spawnSync('go', ['version'], { encoding: 'utf8' }).stdout ?? '') ?? [];
  return Number(minor) >= 26;
})();

let program: string | undefined;

/** The path of the program that resolves compose files and charts, which is compiled on first use. */
export function resolveDeploymentTool(): string {
  program ??= z
    .string()
    .parse(
      evaluate(
        `import { resolveDeploymentTool } from './scripts/toolchain/deployment.mjs';`,
        'await resolveDeploymentTool()',
      ),
    );
  return program;
}

/** Runs that program. @returns its output */
export const runDeploymentTool = (args: readonly string[]): string =>
  execFileSync(resolveDeploymentTool(), [...args], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024, stdio: 'pipe' });

/** A folder with the compose files as an operator has it; the caller removes it. */
export function createComposeFolder(settings: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'vouch-compose-'));
  chmodSync(folder, 0o755);
  cpSync(path.join(root, 'docker-compose.yml'), path.join(folder, 'docker-compose.yml'));
  cpSync(path.join(root, 'deploy'), path.join(folder, 'deploy'), {
    recursive: true,
    filter: (source) => !/deploy\/(secrets|files|backups|helm)$/.test(source),
  });
  writeFileSync(path.join(folder, '.env'), settings);
  return folder;
}

/** Runs deploy/create-secrets.sh. Only root may give files away, so that others keep them. @returns the folder of secrets */
export function createSecrets(folder: string): string {
  const programs = path.join(folder, 'programs');
  mkdirSync(programs, { recursive: true });
  if (process.getuid?.() !== 0) writeFileSync(path.join(programs, 'chown'), '#!/bin/sh\n', { mode: 0o755 });
  execFileSync('sh', [path.join(folder, 'deploy', 'create-secrets.sh')], {
    env: { PATH: `${programs}:${process.env['PATH'] ?? ''}` },
  });
  return path.join(folder, 'deploy', 'secrets');
}

/** The project as `docker compose` understands it, with the services of every profile. */
export function resolveCompose(folder: string, files: readonly string[] = ['docker-compose.yml']): ComposeProject {
  return projectSchema.parse(
    JSON.parse(runDeploymentTool(['compose', ...files.map((file) => path.join(folder, file))])),
  );
}

/** Makes the mounts of a service available in a folder, as its container has them in /run/secrets. */
export function mountSecrets(service: ComposeService, secrets: string, into: string): Record<string, string> {
  mkdirSync(into, { recursive: true });
  for (const { source, target } of service.secrets) {
    // A link has the owner and mode of the secret, as a mount has.
    const file = path.join(into, path.basename(target));
    rmSync(file, { force: true });
    linkSync(path.join(secrets, source), file);
  }
  return Object.fromEntries(
    Object.entries(service.environment).map(([name, value]) => [name, (value ?? '').replace('/run/secrets', into)]),
  );
}
