import type { Command } from 'commander';
import { createOrganisation, setEgressExceptions } from '../../services/platform/access/organisations';
import { ensureBusinessDefaults } from '../../services/business/settings/default-records';
import { findOrganisationId, parseList, printJson, withPlatform } from './platform';

export function addOrganisationCommands(program: Command): void {
  program
    .command('create-organisation')
    .description('create an organisation')
    .requiredOption('--name <name>', 'legal name')
    .requiredOption('--slug <slug>', 'short name that the other commands accept')
    .action(createOrganisationCommand);
  program
    .command('allow-egress')
    .description('replace the private addresses that webhooks of one organisation may reach')
    .requiredOption('--organisation <slug>', 'slug of the organisation')
    .option('--addresses <list>', 'HOST:PORT,HOST:PORT; empty to allow none', parseList)
    .action(allowEgressCommand);
}

async function createOrganisationCommand(input: { name: string; slug: string }): Promise<void> {
  const organisation = await withPlatform(async (platform) => {
    const created = await createOrganisation(platform, { name: input.name, slug: input.slug });
    await ensureBusinessDefaults(platform, created._id, { legalName: created.name });
    return created;
  });
  printJson({ organisationId: organisation._id, slug: organisation.slug });
}

async function allowEgressCommand(input: { organisation: string; addresses?: string[] }): Promise<void> {
  const addresses = input.addresses ?? [];
  await withPlatform(async (platform) =>
    setEgressExceptions(platform, await findOrganisationId(input.organisation), addresses),
  );
  printJson({ addresses });
}
