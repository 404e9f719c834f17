import type { Command } from 'commander';
import { INSTALLATION } from '../../domain/platform/installation';
import { isHeadContained } from '../../services/platform/audit/signed-heads';
import { verifyAuditChain } from '../../services/platform/audit/verification';
import { findOrganisationId, printJson, withPlatform } from './platform';

const HEAD_OPTION = [
  '--head <signature>',
  'signature of a head that a receiver has kept: verify that the chain still contains it',
] as const;

/** Adds `verify-audit` for one organisation and `verify-installation-audit` for the watch lists of all. */
export function addAuditCommands(program: Command): void {
  program
    .command('verify-audit')
    .description('verify the audit log of an organisation; exits with code 2 if the chain is broken')
    .requiredOption('--organisation <slug>', 'slug of the organisation')
    .option(...HEAD_OPTION)
    .action(({ organisation, head }: { organisation: string; head?: string }) =>
      verifyChain(() => findOrganisationId(organisation), head),
    );
  program
    .command('verify-installation-audit')
    .description('verify the audit log of changes to the watch lists that serve every organisation')
    .option(...HEAD_OPTION)
    .action(({ head }: { head?: string }) => verifyChain(() => Promise.resolve(INSTALLATION), head));
}

async function verifyChain(findChain: () => Promise<string>, token: string | undefined): Promise<void> {
  const { verdict, headContained } = await withPlatform(async (platform) => {
    const chain = await findChain();
    return {
      verdict: await verifyAuditChain(platform, chain),
      headContained: token === undefined ? undefined : await isHeadContained(platform, chain, token),
    };
  });
  if (!verdict.valid || headContained === false) process.exitCode = 2;
  printJson({ ...verdict, headContained });
}
