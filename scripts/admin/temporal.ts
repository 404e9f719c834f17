import type { Client } from '@temporalio/client';
import { loadConfig } from '../../lib/config';
import { openMasterKey } from '../../lib/kms/open-master-key';
import { createLogger } from '../../lib/logger';
import { createTemporalClient } from '../../lib/temporal';
import { getServiceEnvironment } from '../demo/running-service';

/**
 * A client of the Temporal server of the running service, with its namespace, TLS settings and credential.
 * @param name of the command
 */
export async function connectTemporal(name: string): Promise<Client> {
  const config = loadConfig(getServiceEnvironment());
  const logger = createLogger({ level: 'silent', name });
  return createTemporalClient(config, await openMasterKey(config, { logger }));
}
