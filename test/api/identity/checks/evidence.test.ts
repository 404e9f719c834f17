import sharp from 'sharp';
import { makeDemoImages } from '../../../../scripts/demo/images';
import type { DemoImages } from '../../../../scripts/demo/images';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import { Audit } from '../../../../models/platform/audit/audit';
import { sha256Hex } from '../../../../lib/crypto/secrets';
import { getApiUrl, call } from '../../../support/client';
import type { ApiResponse } from '../../../support/client';
import { recordHistory } from '../../../support/histories';
import {
  parseCheck,
  createSession,
  createFacelessImage,
  getSession,
  postDocument,
  postLiveness,
} from '../../../support/identity/identity';
import { EvidenceRendition } from '../../../../models/identity/reports/evidence-rendition';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';
import type { IdentityTenant } from '../../../support/tenant';

let tenant: IdentityTenant;
let key: string;
let images: DemoImages;
let sessionId: string;
let evidenceId: string;

beforeAll(async () => {
  tenant = await createIdentityTenant('Evidence');
  key = tenant.identityKey;
  images = await makeDemoImages();
  sessionId = (await createSession(key, { features: ['id'] })).id;
  parseCheck(await postDocument(key, { sessionId, frontImage: images.passport }));
  evidenceId = (await getSession(key, sessionId)).evidence[0]?.id ?? '';
});
afterAll(closeTestPlatform);

const requestLink = (path: string): Promise<ApiResponse> => call('GET', path, { key });

/** The path of a link on the API under test. */
function parseLinkPath({ status, body }: ApiResponse): string {
  expect(status).toBe(200);
  const url = String(body['url']);
  expect(url.startsWith(`${getApiUrl()}/files/`)).toBe(true);
  const left = Date.parse(String(body['expiresAt'])) - Date.now();
  expect(left).toBeGreaterThan(200_000);
  expect(left).toBeLessThan(310_000);
  return url.slice(getApiUrl().length);
}

describe('a link to evidence', () => {
  test('returns the decrypted file to anyone who has the link', async () => {
    const response = await call(
      'GET',
      parseLinkPath(await requestLink(`/v1/sessions/${sessionId}/evidence/${evidenceId}`)),
    );
    expect(response.status).toBe(200);
    expect(sha256Hex(response.bytes)).toBe(sha256Hex(images.passport.body));
  });

  test('keeps browsers from storing, sniffing, framing or executing the file', async () => {
    const { headers } = await call(
      'GET',
      parseLinkPath(await requestLink(`/v1/sessions/${sessionId}/evidence/${evidenceId}`)),
    );
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${evidenceId}.jpg"`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    expect(headers.get('accept-ranges')).toBe('none');
  });

  test('does not serve ranges', async () => {
    const path = parseLinkPath(await requestLink(`/v1/sessions/${sessionId}/evidence/${evidenceId}`));
    const response = await call('GET', path, { headers: { Range: 'bytes=0-99' } });
    expect(response.status).toBe(416);
    expect(response.body).toMatchObject({ ok: false, error: { code: 'range_not_supported' } });
  });

  test('is audited on creation and on download, with the API key as the actor', async () => {
    await call('GET', parseLinkPath(await requestLink(`/v1/sessions/${sessionId}/evidence/${evidenceId}`)));
    const rows = await Audit.find({ organisationId: tenant.organisationId, subject: evidenceId })
      .sort({ _id: 1 })
      .lean();
    expect(rows.slice(-2).map(({ action }) => action)).toEqual(['evidence.link_made', 'evidence.read']);
    for (const { actor } of rows) expect(actor).toMatch(/^key_/);
  });

  test('is rejected if any part is altered', async () => {
    const path = parseLinkPath(await requestLink(`/v1/sessions/${sessionId}/evidence/${evidenceId}`));
    const [head, payload, signature] = path.slice('/files/'.length).split('.');
    const other = await createIdentityTenant('Other');
    const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as Record<string, unknown>;
    const forged = Buffer.from(JSON.stringify({ ...claims, org: other.organisationId })).toString('base64url');
    const unsignedHeader = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    for (const token of [
      `${head}.${forged}.${signature}`,
      `${unsignedHeader}.${payload}.`,
      `${head}.${payload}.`,
      'nothing',
    ]) {
      expect((await call('GET', `/files/${token}`)).status).toBe(404);
    }
  });

  test.each([
    ['altered', 'evidence_altered', 'evidence.altered_found'],
    ['lost', 'evidence_missing', 'evidence.missing_found'],
  ])('to a file whose bytes the store has %s opens nothing, says so and is audited', async (what, code, action) => {
    const platform = await getTestPlatform();
    const check = parseCheck(await postLiveness(key, { image: { body: await createFacelessImage() } }));
    const id = check.evidence[0]?.id ?? '';
    const path = parseLinkPath(await requestLink(`/v1/checks/${check.id}/evidence/${id}`));
    const { objectKey } = (await Evidence.findById(id).lean()) ?? { objectKey: '' };
    const sealed = await platform.objects.get(objectKey);
    if (sealed === null) throw new Error('No such object.');
    sealed[100] = (sealed[100] ?? 0) ^ 1;
    if (what === 'lost') await platform.objects.remove(objectKey);
    else await platform.objects.put(objectKey, sealed, 'application/octet-stream');
    const response = await call('GET', path);
    expect(response).toMatchObject({ status: 410, body: { ok: false, error: { code, details: { evidenceId: id } } } });
    expect(await Audit.countDocuments({ organisationId: tenant.organisationId, subject: id, action })).toBe(1);
    expect(await Audit.countDocuments({ subject: id, action: 'evidence.read' })).toBe(0);
    const preview = await requestLink(`/v1/checks/${check.id}/evidence/${id}?preview=true`);
    expect(preview).toMatchObject({ status: 410, body: { error: { code } } });
  });

  test('is not created for evidence of another record, or without the permission', async () => {
    const other = await createSession(key, { features: ['liveness'] });
    expect((await requestLink(`/v1/sessions/${other.id}/evidence/${evidenceId}`)).status).toBe(404);
    const reader = await tenant.createIdentityKey(['sessions:read']);
    const rejected = await call('GET', `/v1/sessions/${sessionId}/evidence/${evidenceId}`, { key: reader });
    expect(rejected.status).toBe(403);
  });
});

describe('a preview', () => {
  test('is a JPEG of the pixels alone, without other content of the upload', async () => {
    const secret = 'EXIF-OWNER-TRACE';
    const body = await sharp(await createFacelessImage(1600, 900))
      .withExif({ IFD0: { Copyright: secret } })
      .jpeg()
      .toBuffer();
    expect(body.includes(secret)).toBe(true);
    const check = parseCheck(await postLiveness(key, { image: { body } }));
    const path = parseLinkPath(
      await requestLink(`/v1/checks/${check.id}/evidence/${check.evidence[0]?.id ?? ''}?preview=true`),
    );
    const { bytes, headers } = await call('GET', path);
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(bytes.includes(secret)).toBe(false);
    const { width, height, format, exif } = await sharp(bytes).metadata();
    expect({ width, height, format, exif }).toEqual({ width: 1280, height: 720, format: 'jpeg', exif: undefined });
  });

  test('is rendered once, not listed as evidence, and erased with its session', async () => {
    const path = `/v1/sessions/${sessionId}/evidence/${evidenceId}?preview=true`;
    await Promise.all(
      [requestLink(path), requestLink(path), requestLink(path)].map(async (pendingLink) =>
        parseLinkPath(await pendingLink),
      ),
    );
    expect(await EvidenceRendition.countDocuments({ recordId: sessionId, kind: 'preview' })).toBe(1);
    expect((await getSession(key, sessionId)).evidence).toHaveLength(1);
    const rendition = await EvidenceRendition.findOne({ recordId: sessionId, kind: 'preview' }).lean();
    expect(await Evidence.findById(rendition?.evidenceId).lean()).toMatchObject({ derivedFrom: evidenceId });
    const { temporal } = await getTestPlatform();
    await recordHistory(temporal.workflow.getHandle(rendition?._id ?? ''), 'evidence-rendition');
  });
});

describe('a link to an erased file', () => {
  test('is rejected although it has not expired', async () => {
    const { id } = await createSession(key, { features: ['liveness'] });
    parseCheck(await postLiveness(key, { sessionId: id, image: { body: await createFacelessImage() } }));
    const [file] = (await getSession(key, id)).evidence;
    const path = parseLinkPath(await requestLink(`/v1/sessions/${id}/evidence/${file?.id ?? ''}`));
    expect((await call('DELETE', `/v1/sessions/${id}`, { key })).status).toBe(200);
    expect((await call('GET', path)).status).toBe(404);
  });
});
