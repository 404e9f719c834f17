import type { Command } from 'commander';
import { INSTALLATION } from '../../services/identity/aml/versions';
import { verifyAuditChain } from '../../services/platform/audit/verification';
import { findOrganisationId, printJson, withPlatform } from './platform';

export function addAuditCommands(program: Command): void {
  program
    .command('verify-audit')
    .description('verify the audit log of an organisation; exits with code 2 if the chain is broken')
    .requiredOption('--organisation <slug>', 'slug of the organisation')
    .action(({ organisation }: { organisation: string }) => verifyChain(() => findOrganisationId(organisation)));
  program
    .command('verify-installation-audit')
    .description('verify the audit log of changes to the watch lists that serve every organisation')
    .action(() => verifyChain(() => Promise.resolve(INSTALLATION)));
}

async function verifyChain(findChain: () => Promise<string>): Promise<void> {
  const verdict = await withPlatform(async (platform) => verifyAuditChain(platform, await findChain()));
  if (!verdict.valid) process.exitCode = 2;
  printJson(verdict);
}
