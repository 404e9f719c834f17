import { z } from 'zod';
import { baseUrl } from '../config-values';

/** Key management services that encrypt keys of MASTER_KEY. */
export const kmsVariables = {
  AWS_KMS_KEY_ID: z.string().min(1).optional(),
  AWS_KMS_REGION: z.string().min(1).optional(),
  AWS_KMS_ENDPOINT: baseUrl.optional(),
  GCP_KMS_KEY: z
    .string()
    .regex(
      /^projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+$/,
      'accepts projects/…/locations/…/keyRings/…/cryptoKeys/…',
    )
    .optional(),
  GCP_KMS_ENDPOINT: baseUrl.default('https://cloudkms.googleapis.com'),
  VAULT_ADDR: baseUrl.optional(),
  VAULT_CACERT: z.string().optional(),
  VAULT_NAMESPACE: z.string().min(1).optional(),
  VAULT_TRANSIT_MOUNT: z.string().min(1).default('transit'),
  VAULT_TRANSIT_KEY: z.string().min(1).default('vouch'),
  VAULT_TOKEN: z.string().min(1).optional(),
  VAULT_TOKEN_FILE: z.string().optional(),
  VAULT_ROLE_ID: z.string().min(1).optional(),
  VAULT_SECRET_ID: z.string().min(1).optional(),
  VAULT_SECRET_ID_FILE: z.string().optional(),
};
