import { buildEmailPasswordAad } from '../../business/messages/email-settings';
import { buildDataKeyAad } from '../evidence/data-keys';
import { buildSecondFactorAad } from '../access/second-factor';
import { buildSigningKeyAad } from '../access/signing-keys';
import { buildWebhookSecretAad } from '../webhooks/secrets';
import { buildRetainedKeyAad } from './retained-keys';
import { createSealedCollection } from './sealed-collection';
import { SEALED_KEY_STORE } from './sealed-key-store';
import type { SealedStore } from './sealed-store';

/**
 * Everything that is encrypted with the master key. `rotate-master-key` re-encrypts these and no others, so a new field
 * with a sealed secret is added here; `test/unit/platform/sealed-stores.test.ts` fails until it is.
 */
export const SEALED_STORES: readonly SealedStore[] = [
  SEALED_KEY_STORE,
  createSealedCollection({
    collection: 'data_keys',
    layout: 'record',
    dataField: 'wrapped',
    // Data keys of earlier versions; those of this version are encrypted with a wrapping key.
    sealedBy: 'services/platform/keys/sealed-collection.ts',
    buildAad: buildDataKeyAad,
  }),
  createSealedCollection({
    collection: 'signing_keys',
    layout: 'field',
    path: 'sealed',
    sealedBy: 'services/platform/access/signing-keys.ts',
    buildAad: ({ _id }) => buildSigningKeyAad(_id),
  }),
  createSealedCollection({
    collection: 'second_factors',
    layout: 'field',
    path: 'secret',
    sealedBy: 'services/platform/access/second-factor.ts',
    buildAad: ({ _id }) => buildSecondFactorAad(_id),
  }),
  createSealedCollection({
    collection: 'webhook_endpoints',
    layout: 'list',
    path: 'secrets',
    sealedBy: 'services/platform/webhooks/secrets.ts',
    buildAad: ({ _id, organisationId }) => buildWebhookSecretAad(organisationId, _id),
  }),
  createSealedCollection({
    collection: 'email_settings',
    layout: 'field',
    path: 'password',
    sealedBy: 'services/business/messages/email-settings.ts',
    buildAad: ({ organisationId }) => buildEmailPasswordAad(organisationId),
  }),
  createSealedCollection({
    collection: 'retained_keys',
    layout: 'field',
    path: 'sealed',
    sealedBy: 'services/platform/keys/retained-keys.ts',
    buildAad: ({ _id }) => buildRetainedKeyAad(_id),
  }),
];
