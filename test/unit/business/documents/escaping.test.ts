import fc from 'fast-check';
import type { DocumentParty, PrintableDocument } from '../../../../domain/business/documents/printable-document';
import { quoteCssString, escapeHtml, html } from '../../../../lib/html';
import { renderDocumentHtml } from '../../../../activities/rendering/template/document';
import { buildSampleDocument } from '../../../support/business/sample-document';

const ATTACK = `"'></style></title></td><script>alert(1)</script><img src=http://evil.example/x onerror=alert(1)><!--`;
/** Markup that occurs in the page only if an attack succeeded. */
const BREACH = /<script|<img src=http|onerror=alert\(1\)>|<!--/;

const attackedParty: DocumentParty = {
  name: ATTACK,
  addressLines: [ATTACK, ATTACK],
  taxId: ATTACK,
  registrationId: ATTACK,
  email: ATTACK,
  phone: ATTACK,
  website: ATTACK,
};

/** Every text of the document, replaced one at a time. */
const ATTACKED: Readonly<Record<string, Partial<PrintableDocument>>> = {
  number: { number: ATTACK },
  customerNumber: { customerNumber: ATTACK },
  purchaseReference: { purchaseReference: ATTACK },
  correctedInvoice: { correctedInvoice: { number: ATTACK, issueDate: '2026-11-01' } },
  notes: { notes: ATTACK },
  seller: { seller: { ...attackedParty, logo: ATTACK, accentColor: ATTACK } },
  'seller with a logo that is a link': { seller: { ...attackedParty, logo: 'http://evil.example/x.png' } },
  buyer: { buyer: attackedParty },
  shipTo: { shipTo: attackedParty },
  payment: { payment: { termsText: ATTACK, accountHolder: ATTACK, iban: ATTACK, bic: ATTACK, bankName: ATTACK } },
  lines: {
    lines: buildSampleDocument(1).lines.map((line) => ({
      ...line,
      code: ATTACK,
      name: ATTACK,
      description: ATTACK,
      unit: ATTACK,
    })),
  },
  taxes: { taxes: buildSampleDocument().taxes.map((tax) => ({ ...tax, name: ATTACK, exemptionReason: ATTACK })) },
};

describe('the printed page', () => {
  test.each([0, 1_000])('is not rendered in layout %s, which this build does not have', async (templateVersion) => {
    const rendering = Promise.resolve({ ...buildSampleDocument(), templateVersion }).then(renderDocumentHtml);
    await expect(rendering).rejects.toMatchObject({ code: 'template_version_unknown' });
  });

  test.each(Object.entries(ATTACKED))('escapes markup in %s', (_, changes) => {
    const page = renderDocumentHtml(buildSampleDocument(2, 'en', changes));
    expect(page).not.toMatch(BREACH);
    expect(page).not.toContain('evil.example/x.png');
    expect(page.match(/<style>/g)).toHaveLength(1);
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page.match(/<\/title>/g)).toHaveLength(1);
  });

  test('embeds a logo only as PNG or JPEG data', () => {
    const logo = 'data:image/png;base64,iVBORw0KGgo=';
    const withLogo = (url: string) =>
      renderDocumentHtml(buildSampleDocument(1, 'en', { seller: { ...buildSampleDocument().seller, logo: url } }));
    expect(withLogo(logo)).toContain(`<img src="${logo}"`);
    expect(withLogo('data:text/html;base64,PGI+')).not.toContain('<img');
  });
});

describe('escaping', () => {
  test('leaves no character that opens markup, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']/);
        expect(html`<p>${text}</p>`.markup).toBe(`<p>${escapeHtml(text)}</p>`);
      }),
    );
  });

  test('is reversible by decoding the entities', () => {
    const read = (text: string) =>
      text.replace(
        /&(amp|lt|gt|quot|#39);/g,
        (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '',
      );
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        (text) => read(escapeHtml(text)) === text.replace(/(?![\t\n])\p{Cc}/gu, ''),
      ),
    );
  });

  test('never ends a CSS string early', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(quoteCssString(text).slice(1, -1)).not.toMatch(/["<>{};\n]/);
      }),
    );
  });
});
