import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import { ServiceKey, startJsonServer } from './json-server';
import type { JsonReply, JsonServer, ReceivedRequest } from './json-server';

export interface AwsCredentials {
  accessKeyId: string;
  secretAccessKey: string;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Whether a request has a valid signature of version 4, computed from what arrived. */
function isSigned({ path, headers, text }: ReceivedRequest, credentials: AwsCredentials): boolean {
  const parts =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d+)\/([^/]+)\/kms\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    );
  if (parts === null) return false;
  const [, accessKeyId = '', date = '', region = '', signedHeaders = '', signature = ''] = parts;
  const canonicalHeaders = signedHeaders.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = ['POST', path, '', canonicalHeaders.join(''), signedHeaders, sha256(text)].join('\n');
  const scope = `${date}/${region}/kms/aws4_request`;
  const stringToSign = ['AWS4-HMAC-SHA256', String(headers['x-amz-date']), scope, sha256(canonical)].join('\n');
  const key = [region, 'kms', 'aws4_request'].reduce(
    (previous: Buffer, part) => hmac(previous, part),
    hmac(`AWS4${credentials.secretAccessKey}`, date),
  );
  const isComplete = ['host', 'x-amz-date', 'x-amz-target'].every((name) => signedHeaders.split(';').includes(name));
  return accessKeyId === credentials.accessKeyId && isComplete && hmac(key, stringToSign).toString('hex') === signature;
}

/** A refusal as AWS words it. @param type name of the exception, such as `ThrottlingException` */
export const fail = (status: number, type: string): JsonReply => ({
  status,
  body: { __type: type, message: `${type} of the test` },
  headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': type },
});

const requestSchema = z.object({
  KeyId: z.string(),
  EncryptionContext: z.record(z.string(), z.string()),
  Plaintext: z.base64().optional(),
  CiphertextBlob: z.base64().optional(),
});

/** AWS KMS: JSON 1.1 with signatures of version 4. */
export function startAwsKms(keyId: string, credentials: AwsCredentials): Promise<JsonServer> {
  const key = new ServiceKey();
  return startJsonServer((request) => {
    if (!isSigned(request, credentials)) return fail(400, 'IncompleteSignatureException');
    if (request.headers['content-type'] !== 'application/x-amz-json-1.1') return fail(404, 'UnknownOperationException');
    const body = requestSchema.parse(JSON.parse(request.text));
    if (body.KeyId !== keyId) return fail(400, 'NotFoundException');
    const context = JSON.stringify(body.EncryptionContext);
    if (request.headers['x-amz-target'] === 'TrentService.Encrypt') {
      const sealed = key.encrypt(Buffer.from(body.Plaintext ?? '', 'base64'), context);
      return { status: 200, body: { KeyId: keyId, CiphertextBlob: sealed.toString('base64') } };
    }
    const plaintext = key.decrypt(Buffer.from(body.CiphertextBlob ?? '', 'base64'), context);
    if (plaintext === null) return fail(400, 'InvalidCiphertextException');
    return { status: 200, body: { KeyId: keyId, Plaintext: plaintext.toString('base64') } };
  });
}
