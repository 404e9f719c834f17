import { invalidFieldError } from '../../domain/errors';
import { loadConfig } from '../../lib/config';
import { createEgress } from '../../lib/egress/egress';
import type { Egress } from '../../lib/egress/egress';
import { ensureIndexes } from '../../models';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import { requireCurrentSchema } from '../../services/platform/migrations/schema-state';
import { findOrganisationBySlug } from '../../services/platform/access/organisations';
import type { Platform } from '../../services/platform/platform';
import { getServiceEnvironment } from '../demo/running-service';

/** Runs a command on the engines of the environment, or on those of the running stack, whatever data they hold. */
export async function withAnyPlatform<T>(command: (platform: Platform) => Promise<T>): Promise<T> {
  const config = { ...loadConfig(getServiceEnvironment()), LOG_LEVEL: 'warn' as const };
  const platform = await createPlatform(config, { name: 'admin', watch: false });
  try {
    return await command(platform);
  } finally {
    await closePlatform(platform);
  }
}

/** The same for a command that needs data of this version. */
export const withPlatform = <T>(command: (platform: Platform) => Promise<T>): Promise<T> =>
  withAnyPlatform(async (platform) => {
    await requireCurrentSchema(platform);
    await ensureIndexes();
    return command(platform);
  });

/** Runs a command that downloads from public addresses. */
export async function withEgress<T>(platform: Platform, command: (egress: Egress) => Promise<T>): Promise<T> {
  const egress = createEgress({ allow: platform.config.EGRESS_ALLOW, dnsServers: platform.config.DNS_SERVERS });
  try {
    return await command(egress);
  } finally {
    await egress.close();
  }
}

/** Prints a result as one line of JSON. */
export function printJson(result: object): void {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Prints a report as indented JSON. */
export function printReport(report: object | null): void {
  process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
}

/** @throws AppError if no organisation has the slug */
export async function findOrganisationId(slug: string): Promise<string> {
  const organisation = await findOrganisationBySlug(slug);
  if (organisation === null) throw invalidFieldError('--organisation', `no organisation has the slug ${slug}`);
  return organisation._id;
}

/**
 * Parses a list of values separated by commas.
 * @param earlier the values of the same option before, if it is repeated
 */
export const parseList = (text: string, earlier: readonly string[] = []): string[] => {
  const values = text.split(',').map((part) => part.trim());
  return [...earlier, ...values.filter((value) => value !== '')];
};

/** Whether a source is fetched over HTTP; any other is a path of a file. */
export const isUrl = (text: string): boolean => /^https?:\/\//.test(text);
