import { Evidence } from '../../../../models/platform/evidence/evidence';
import { TURNED_HEIC } from '../../../support/identity/heic';
import { call } from '../../../support/client';
import {
  parseCheck,
  createSession,
  listEventTypes,
  getSession,
  postDecision,
  postDocument,
  waitForStatus,
} from '../../../support/identity/identity';
import { LETTERS, printLetters, createScannedPdf } from '../../../support/identity/letters';
import type { Letter, PrintedLetter } from '../../../support/identity/letters';
import { SCRIPT_LETTERS } from '../../../support/identity/window-letters';
import { listRiskCodes } from '../../../support/identity/risk-codes';
import { makeSpecimenPassports } from '../../../support/identity/specimen-passports';
import { closeTestPlatform, createIdentityTenant } from '../../../support/tenant';
import { DAY_MS } from '../../../../domain/durations';

const start = Date.now();
/** Relative to the start of the tests, which may end on the next day. */
const daysAgo = (days: number): string => new Date(start - days * DAY_MS).toISOString().slice(0, 10);

type Form = Record<string, string | { body: Buffer; name?: string; type?: string }>;
const postProof = (key: string, form: Form, query = '') => call('POST', `/v1/documents/poa${query}`, { key, form });

let key: string;
const printed = new Map<string, PrintedLetter>();
const getPdf = (name: string) => ({ body: printed.get(name)?.pdf ?? Buffer.alloc(0), name: 'letter.pdf' });

beforeAll(async () => {
  key = (await createIdentityTenant('Addresses')).identityKey;
  const english = LETTERS.en(daysAgo(20));
  const letters: Record<string, Letter> = {
    english,
    german: LETTERS.de(daysAgo(10)),
    old: LETTERS.en(daysAgo(91)),
    future: { ...english, facts: [['Bill date', daysAgo(-3)], ...english.facts.slice(2)] },
    stranger: LETTERS.en(daysAgo(20), 'Mr Tobias Okonkwo'),
    anonymous: { ...english, sender: '', senderAddress: '' },
    nowhere: { ...english, recipient: ['Mrs Klara Martinsdotter'] },
    nameless: { ...english, recipient: ['The Occupier', '14 Larkfield Road', 'LEEDS', 'LS6 2AB'] },
    chinese: { ...SCRIPT_LETTERS.chinese, facts: [['账单日期', daysAgo(10)]] },
    undated: { ...english, facts: [['Amount due', '£84.20']] },
  };
  (await printLetters(Object.values(letters))).forEach((one, index) =>
    printed.set(Object.keys(letters)[index] ?? '', one),
  );
});
afterAll(closeTestPlatform);

describe('a standalone proof of address', () => {
  test('is read from a PDF, stored, and emits its event', async () => {
    const check = parseCheck(await postProof(key, { document: getPdf('english') }));
    expect(check).toMatchObject({
      kind: 'proof_of_address',
      feature: 'poa',
      outcome: 'approved',
      risks: [],
      evidence: [{ field: 'document' }],
      result: {
        documentType: 'utility_bill',
        issuer: 'Northern Rivers Water plc',
        issueDate: daysAgo(20),
        language: 'en',
        name: 'Klara Martinsdotter',
        address: { raw: '14 Larkfield Road, LEEDS, LS6 2AB', city: 'LEEDS', postalCode: 'LS6 2AB', country: 'GBR' },
        source: 'text_layer',
      },
    });
    expect(await listEventTypes(check.id)).toEqual(['check.completed']);
    expect(parseCheck(await call('GET', `/v1/checks/${check.id}`, { key }), 200)).toEqual(check);
    const preview = `/v1/checks/${check.id}/evidence/${check.evidence[0]?.id ?? ''}?preview=true`;
    expect(await call('GET', preview, { key })).toMatchObject({
      status: 409,
      body: { error: { code: 'preview_not_available' } },
    });
  });

  test('is read from a scan and from a photograph', async () => {
    const image = printed.get('german')?.image ?? Buffer.alloc(0);
    for (const body of [image, await createScannedPdf(image)]) {
      expect(parseCheck(await postProof(key, { document: { body } }))).toMatchObject({
        outcome: 'approved',
        result: { source: 'recognition', issuer: 'Stadtwerke Musterheim GmbH', issueDate: daysAgo(10), language: 'de' },
      });
    }
  });

  test.each([
    ['old', 'poa_too_old', 'declined'],
    ['future', 'poa_date_in_future', 'review'],
    ['anonymous', 'poa_issuer_not_found', 'review'],
    ['nameless', 'poa_name_not_found', 'review'],
    ['undated', 'poa_poor_quality', 'declined'],
  ])('that is %s raises %s', async (name, code, outcome) => {
    const check = parseCheck(await postProof(key, { document: getPdf(name) }));
    expect(listRiskCodes(check)).toEqual([code]);
    expect(check).toMatchObject({ outcome });
  });

  test('without an address raises poa_address_not_found, and its name is not known either', async () => {
    const check = parseCheck(await postProof(key, { document: getPdf('nowhere') }));
    expect(listRiskCodes(check)).toEqual(['poa_address_not_found', 'poa_name_not_found']);
    expect(check).toMatchObject({ outcome: 'declined' });
  });

  test('in a script that is not read raises poa_script_not_supported and is reviewed', async () => {
    const check = parseCheck(await postProof(key, { document: getPdf('chinese') }));
    expect(listRiskCodes(check)).toContain('poa_script_not_supported');
    expect(check).toMatchObject({ outcome: 'review' });
  });

  test('that cannot be opened fails with the reason', async () => {
    const broken = Buffer.from(`%PDF-1.7\n${'x'.repeat(400)}\n%%EOF`);
    expect(parseCheck(await postProof(key, { document: { body: broken } }))).toMatchObject({
      status: 'failed',
      result: null,
      error: { code: 'pdf_unreadable' },
      risks: [{ code: 'processing_failed', feature: 'poa', details: { reason: 'pdf_unreadable' } }],
    });
    expect(parseCheck(await postProof(key, { document: { body: ENCRYPTED } }))).toMatchObject({
      status: 'failed',
      error: { code: 'pdf_encrypted' },
    });
  });

  test.each([
    ['truncated', () => (printed.get('english')?.pdf ?? Buffer.alloc(0)).subarray(0, -2000), 400, 'file_truncated'],
    ['a text file', () => Buffer.from('My address is 14 Larkfield Road'), 415, 'unsupported_media_type'],
    [
      'AVIF',
      () => Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypavif'), Buffer.alloc(64)]),
      415,
      'unsupported_media_type',
    ],
    ['truncated HEIC', () => TURNED_HEIC.subarray(0, -100), 400, 'image_truncated'],
    ['empty', () => Buffer.alloc(0), 400, 'empty_file'],
  ])('that is %s is refused by its field', async (_what, make, status, code) => {
    const response = await postProof(key, { document: { body: make() } });
    expect(response.status).toBe(status);
    expect(response.body).toMatchObject({ ok: false, error: { code, details: { fields: [{ field: 'document' }] } } });
  });

  test('in HEIC is decoded, and its type is recorded', async () => {
    const check = parseCheck(await postDocument(key, { frontImage: { body: TURNED_HEIC } }));
    expect(check).toMatchObject({ status: 'completed' });
    expect(check.risks.map(({ code }) => code)).toContain('document_not_recognised');
    expect(await Evidence.findOne({ checkId: check.id }).lean()).toMatchObject({ contentType: 'image/heic' });
  });
});

describe('a session that verifies the address', () => {
  let passport: Buffer;
  let strangersPassport: Buffer;
  beforeAll(async () => {
    const stranger = { surname: 'Okonkwo', givenNames: 'Tobias', documentNumber: 'T71K20538', sex: 'M' } as const;
    [passport = Buffer.alloc(0), strangersPassport = Buffer.alloc(0)] = await makeSpecimenPassports({}, stranger);
  });

  const verify = async (orders: readonly ('id' | 'poa')[], letter: string, expected: object = {}) => {
    const { id: sessionId } = await createSession(key, { features: ['id', 'poa'], expected });
    for (const step of orders) {
      parseCheck(
        step === 'id'
          ? await postDocument(key, { sessionId, frontImage: { body: passport } })
          : await postProof(key, { sessionId, document: getPdf(letter) }),
      );
    }
    return waitForStatus(key, sessionId, 'approved', 'in_review', 'declined');
  };

  test('is approved if name and address are those of the person', async () => {
    const session = await verify(['id', 'poa'], 'english', { address: '14 Larkfield Rd, Leeds LS6 2AB, UK' });
    expect(session).toMatchObject({
      status: 'approved',
      steps: [
        { feature: 'id', status: 'passed' },
        { feature: 'poa', status: 'passed' },
      ],
      results: { poa: { name: 'Klara Martinsdotter', status: 'approved' } },
      risks: [],
    });
  });

  test.each([[['id', 'poa']], [['poa', 'id']]] as const)(
    "calls a reviewer for a stranger's letter, sent in the order %s",
    async (order) => {
      const session = await verify(order, 'stranger');
      expect(session).toMatchObject({ status: 'in_review', decision: { reasons: ['poa_name_mismatch'] } });
    },
  );

  test('is approved once a reviewer requests the document again and it names the recipient of the letter', async () => {
    const { id: sessionId } = await verify(['id', 'poa'], 'stranger');
    expect((await postDecision(key, sessionId, { decision: 'resubmit', steps: ['id'] })).status).toBe(200);
    parseCheck(await postDocument(key, { sessionId, frontImage: { body: strangersPassport } }));
    expect(await waitForStatus(key, sessionId, 'approved', 'in_review')).toMatchObject({
      status: 'approved',
      risks: [],
      results: { poa: { status: 'approved', risks: [] } },
    });
  });

  test('goes to review if the document that is sent again does not name the recipient of the letter', async () => {
    const address = '99 Baker Street, London NW1 6XE';
    const { id: sessionId } = await verify(['id', 'poa'], 'english', { address });
    expect((await postDecision(key, sessionId, { decision: 'resubmit', steps: ['id'] })).status).toBe(200);
    parseCheck(await postDocument(key, { sessionId, frontImage: { body: strangersPassport } }));
    const session = await waitForStatus(key, sessionId, 'approved', 'in_review');
    expect(listRiskCodes(session)).toEqual(['poa_name_mismatch', 'poa_address_mismatch']);
    expect(session).toMatchObject({
      status: 'in_review',
      results: { document: { risks: [] }, poa: { status: 'review' } },
    });
  });

  test('compares each document that is sent before the decision with the letter, and each letter with the document', async () => {
    const { id: sessionId } = await createSession(key, { features: ['id', 'poa', 'liveness'] });
    const sendDocument = async (body: Buffer) =>
      parseCheck(await postDocument(key, { sessionId, frontImage: { body } }));
    const sendLetter = async (name: string) => parseCheck(await postProof(key, { sessionId, document: getPdf(name) }));
    const listCodes = async () => listRiskCodes(await getSession(key, sessionId));
    await sendLetter('stranger');
    await sendDocument(passport);
    expect(await listCodes()).toEqual(['poa_name_mismatch']);
    await sendLetter('english');
    expect(await listCodes()).toEqual([]);
    await sendDocument(strangersPassport);
    expect(await listCodes()).toEqual(['poa_name_mismatch']);
    await sendDocument(passport);
    expect(await listCodes()).toEqual([]);
  });

  test('goes to review for an address other than the expected one', async () => {
    const session = await verify(['id', 'poa'], 'english', { address: '99 Baker Street, London NW1 6XE' });
    expect(session).toMatchObject({ status: 'in_review', decision: { reasons: ['poa_address_mismatch'] } });
  });

  test('requires another one if it is too old', async () => {
    const { id: sessionId } = await createSession(key, { features: ['poa'] });
    parseCheck(await postProof(key, { sessionId, document: getPdf('old') }));
    expect(await getSession(key, sessionId)).toMatchObject({
      status: 'in_progress',
      steps: [{ feature: 'poa', status: 'retry', attemptsLeft: 2 }],
    });
    parseCheck(await postProof(key, { sessionId, document: getPdf('english') }));
    expect(await waitForStatus(key, sessionId, 'approved')).toMatchObject({ status: 'approved' });
  });
});

/** One empty page under a user password ("secret"), 128-bit RC4, revision 3. */
const ENCRYPTED = Buffer.from(
  [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj',
    `4 0 obj<</Filter/Standard/V 2/R 3/Length 128/P -44/O<${'ab'.repeat(32)}>/U<${'cd'.repeat(32)}>>>endobj`,
    `trailer<</Root 1 0 R/Encrypt 4 0 R/ID[<${'01'.repeat(16)}><${'01'.repeat(16)}>]/Size 5>>`,
    '%%EOF',
  ].join('\n'),
);
