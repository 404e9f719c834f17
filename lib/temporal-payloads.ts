import path from 'node:path';
import type { DataConverter, Payload, PayloadCodec } from '@temporalio/common';
import { temporal } from '@temporalio/proto';
import type { Config } from './config';
import { decrypt, encrypt } from './crypto/envelope';
import type { MasterKey } from './crypto/master-key';

const { Payload: PayloadMessage } = temporal.api.common.v1;

/** Key of the metadata that names the encoding of a payload, and its value for encrypted payloads. */
const ENCODING = 'encoding';
const ENCRYPTED = 'binary/encrypted';
/** Key of the metadata with the id of the master key from which the key of a payload is derived. */
const KEY_ID = 'encryption-key-id';
const PURPOSE = 'temporal-payload';
const AAD = 'temporal-payload';

const readMetadata = ({ metadata }: Payload, name: string): string =>
  Buffer.from(metadata?.[name] ?? []).toString('utf8');

/** How the workflow metadata begins, with which a worker answers the query for the current details of a workflow. */
const WORKFLOW_METADATA = '{"definition":{"type":';

/**
 * Whether a payload is a text for operators: a JSON string, such as the summary of a workflow, an activity or a timer, or
 * the current details. They name steps, codes, ids and times, never personal data, and stay readable in the Temporal UI.
 * Arguments and results that describe a record are objects, and failures are encoded as objects.
 */
function isOperatorText(payload: Payload): boolean {
  if (readMetadata(payload, ENCODING) !== 'json/plain') return false;
  const begin = Buffer.from(payload.data ?? []).toString('utf8', 0, WORKFLOW_METADATA.length);
  return begin.startsWith('"') || begin === WORKFLOW_METADATA;
}

function encryptPayload(masterKey: MasterKey, payload: Payload): Payload {
  const { currentKeyId } = masterKey;
  const plaintext = Buffer.from(PayloadMessage.encode(payload).finish());
  return {
    metadata: { [ENCODING]: Buffer.from(ENCRYPTED), [KEY_ID]: Buffer.from(currentKeyId) },
    data: encrypt(masterKey.deriveKey(PURPOSE, currentKeyId), plaintext, AAD),
  };
}

function decryptPayload(masterKey: MasterKey, payload: Payload): Payload {
  if (readMetadata(payload, ENCODING) !== ENCRYPTED) return payload;
  const key = masterKey.deriveKey(PURPOSE, readMetadata(payload, KEY_ID));
  const { metadata, data } = PayloadMessage.decode(decrypt(key, Buffer.from(payload.data ?? []), AAD));
  return { metadata, data };
}

/**
 * Encrypts the payloads that Temporal stores (AES-256-GCM), with a key derived from the master key, except texts for
 * operators ({@link isOperatorText}). Payloads that are not
 * encrypted are read as they are, so that workflows started without encryption go on, and encrypted ones are read also
 * where encryption is off.
 */
export const createPayloadCodec = (masterKey: MasterKey, isEncrypting: boolean): PayloadCodec => ({
  encode: (payloads) =>
    Promise.resolve(
      isEncrypting
        ? payloads.map((payload) => (isOperatorText(payload) ? payload : encryptPayload(masterKey, payload)))
        : payloads,
    ),
  decode: (payloads) => Promise.resolve(payloads.map((payload) => decryptPayload(masterKey, payload))),
});

/** Path of the module with the failure converter, for clients, workers and the workflow bundle. */
export const FAILURE_CONVERTER_PATH = path.join(__dirname, 'temporal-failures');

/** How clients and workers convert what Temporal stores. */
export const createDataConverter = (config: Config, masterKey: MasterKey): DataConverter => ({
  payloadCodecs: [createPayloadCodec(masterKey, config.TEMPORAL_PAYLOAD_ENCRYPTION)],
  ...(config.TEMPORAL_PAYLOAD_ENCRYPTION ? { failureConverterPath: FAILURE_CONVERTER_PATH } : {}),
});
