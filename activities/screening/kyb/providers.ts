import type { KybProviderName } from '../../../domain/identity/kyb/company';
import type { Egress } from '../../../lib/egress/egress';
import type { Platform } from '../../../services/platform/platform';
import { CompaniesHouseProvider } from './companies-house';
import { GleifProvider } from './gleif';
import { OwnRegisterProvider } from './own-register';
import type { KybProvider } from './provider';
import { RegisterClient } from '../../../lib/registers/register-client';
import { ViesClient } from '../../../lib/registers/vies';
import { SandboxProvider } from './sandbox';
import { ViesProvider } from './vies';

/** Creates the client of every register. */
export function createKybProviders(platform: Platform, egress: Egress): Readonly<Record<KybProviderName, KybProvider>> {
  const { GLEIF_URL, VIES_URL, COMPANIES_HOUSE_URL, companiesHouseKey } = platform.config;
  const client = (baseUrl: string, headers: Record<string, string>): RegisterClient =>
    new RegisterClient(egress, platform.clock, baseUrl, headers);
  const basic = Buffer.from(`${companiesHouseKey ?? ''}:`, 'utf8').toString('base64');
  return {
    register: new OwnRegisterProvider(platform),
    companies_house: new CompaniesHouseProvider(
      client(COMPANIES_HOUSE_URL, { accept: 'application/json', authorization: `Basic ${basic}` }),
    ),
    gleif: new GleifProvider(client(GLEIF_URL, { accept: 'application/vnd.api+json' })),
    vies: new ViesProvider(new ViesClient(client(VIES_URL, { accept: 'application/json' }))),
    sandbox: new SandboxProvider(),
  };
}
