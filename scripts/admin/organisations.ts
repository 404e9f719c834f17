import type { Command } from 'commander';
import { invalidFieldError } from '../../domain/errors';
import {
  createOrganisation,
  getEgressExceptions,
  setEgressExceptions,
} from '../../services/platform/access/organisations';
import { ensureBusinessDefaults } from '../../services/business/settings/default-records';
import { findOrganisationId, parseList, printJson, withPlatform } from './platform';

/** Adds `create-organisation` and `allow-egress`. */
export function addOrganisationCommands(program: Command): void {
  program
    .command('create-organisation')
    .description('create an organisation')
    .requiredOption('--name <name>', 'legal name')
    .requiredOption('--slug <slug>', 'short name that the other commands accept')
    .action(createOrganisationCommand);
  program
    .command('allow-egress')
    .description(
      'set the private addresses that webhooks, the mail server and the watch lists of one organisation may reach',
    )
    .requiredOption('--organisation <slug>', 'slug of the organisation')
    .option('--addresses <list>', 'HOST:PORT,HOST:PORT instead of those allowed so far; empty to allow none', parseList)
    .option('--add <list>', 'HOST:PORT,HOST:PORT in addition to those allowed so far', parseList)
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

interface EgressInput {
  organisation: string;
  addresses?: string[];
  add?: string[];
}

async function allowEgressCommand({ organisation, addresses, add = [] }: EgressInput): Promise<void> {
  // Without either, the addresses that are allowed would all be removed.
  if (addresses === undefined && add.length === 0)
    throw invalidFieldError('--addresses or --add', 'is required; --addresses "" allows none');
  const allowed = await withPlatform(async (platform) => {
    const organisationId = await findOrganisationId(organisation);
    const before = addresses ?? (await getEgressExceptions(organisationId));
    const after = [...new Set([...before, ...add])];
    await setEgressExceptions(platform, organisationId, after);
    return after;
  });
  printJson({ addresses: allowed });
}
