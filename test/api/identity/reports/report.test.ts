import { execFileSync } from 'node:child_process';
import { PDFDocument } from '@cantoo/pdf-lib';
import { makeDemoImages } from '../../../../scripts/demo/images';
import type { DemoImages } from '../../../../scripts/demo/images';
import { Evidence } from '../../../../models/platform/evidence/evidence';
import { EvidenceRendition } from '../../../../models/identity/reports/evidence-rendition';
import { call } from '../../../support/client';
import {
  parseCheck,
  createSession,
  getSession,
  postDocument,
  postLiveness,
  waitForStatus,
} from '../../../support/identity/identity';
import { closeTestPlatform, createIdentityTenant, getTestPlatform } from '../../../support/tenant';

let key: string;
let images: DemoImages;
let sessionId: string;

beforeAll(async () => {
  key = (await createIdentityTenant('Report & <Sons>')).identityKey;
  images = await makeDemoImages();
  sessionId = (await createSession(key, { externalId: 'customer-4711' })).id;
  parseCheck(await postDocument(key, { sessionId, frontImage: images.passport }));
  parseCheck(await postLiveness(key, { sessionId, image: images.selfie }));
  await waitForStatus(key, sessionId, 'approved');
});
afterAll(closeTestPlatform);

/** Requests the report and downloads it from its link. */
async function downloadReport(id = sessionId): Promise<Buffer> {
  const { status, body } = await call('GET', `/v1/sessions/${id}/report`, { key });
  expect(status).toBe(200);
  const file = await call('GET', new URL(String(body['url'])).pathname);
  expect(file.status).toBe(200);
  expect(file.headers.get('content-type')).toBe('application/pdf');
  expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="evd_.*\.pdf"$/);
  return file.bytes;
}

/** The text of a PDF in the order it was drawn, cell by cell, or null where the machine has no poppler. */
function extractText(pdf: Buffer): string | null {
  try {
    return execFileSync('pdftotext', ['-raw', '-', '-'], { input: pdf }).toString('utf8');
  } catch {
    return null;
  }
}

const findReports = () => EvidenceRendition.find({ recordId: sessionId, kind: 'report' }).lean();

test('contains the decision, the steps, the results and the hash of every file', async () => {
  const bytes = await downloadReport();
  const pdf = await PDFDocument.load(bytes);
  expect(pdf.getTitle()).toBe(`Verification report ${sessionId}`);
  const text = extractText(bytes);
  if (text === null) {
    process.stdout.write('Skipped: without pdftotext the words of the report are not read.\n');
    return;
  }
  const squeezed = text.replace(/\s+/g, '');
  for (const said of ['Report & <Sons>', 'Approved', 'customer-4711', 'L898902C3', 'ERIKSSON', 'Face comparison']) {
    expect(squeezed.toUpperCase()).toContain(said.replace(/\s+/g, '').toUpperCase());
  }
  const { evidence } = await getSession(key, sessionId);
  expect(evidence).toHaveLength(2);
  for (const { sha256 } of evidence) expect(squeezed).toContain(sha256);
});

test('is rendered once per state of the session, however often it is requested', async () => {
  const all = await Promise.all([downloadReport(), downloadReport(), downloadReport()]);
  for (const bytes of all) expect(bytes.equals(all[0] ?? Buffer.alloc(0))).toBe(true);
  expect(await findReports()).toHaveLength(1);
});

test('is rendered again once the session has changed', async () => {
  const before = await downloadReport();
  const decision = { decision: 'decline', override: true, reason: 'A lost passport.' };
  expect((await call('POST', `/v1/sessions/${sessionId}/decision`, { key, json: decision })).status).toBe(200);
  const after = await downloadReport();
  expect(after.equals(before)).toBe(false);
  expect(extractText(after) ?? 'A lost passport.').toContain('A lost passport.');
  expect(await findReports()).toHaveLength(2);
});

test('is stored encrypted as evidence of the session, not listed with uploads, and erased with it', async () => {
  const platform = await getTestPlatform();
  const [first] = await findReports();
  const evidence = await Evidence.findById(first?.evidenceId).lean();
  const sealed = await platform.objects.get(evidence?.objectKey ?? '');
  expect(sealed?.subarray(0, 8).toString('latin1')).not.toContain('%PDF');
  expect((await getSession(key, sessionId)).evidence.map(({ field }) => field)).not.toContain('report');
  const erased = await call('DELETE', `/v1/sessions/${sessionId}`, { key });
  expect(erased.status).toBe(200);
  expect(await platform.objects.get(evidence?.objectKey ?? '')).toBeNull();
  expect(await findReports()).toEqual([]);
  expect((await call('GET', `/v1/sessions/${sessionId}/report`, { key })).status).toBe(404);
});

test('of a new session states that nothing has been decided', async () => {
  const { id } = await createSession(key, { features: ['liveness'] });
  const bytes = await downloadReport(id);
  expect(extractText(bytes) ?? 'No decision has been made.').toContain('No decision has been made.');
});
