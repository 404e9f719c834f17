import fc from 'fast-check';
import { escapeXml, escapeXmlMarkup } from '../../../domain/xml-escape';

describe('XML escape', () => {
  test('escapes markup and leaves apostrophes and letters as they are', () => {
    expect(escapeXmlMarkup(`<a b="c">d'é & f</a>`)).toBe(`&lt;a b=&quot;c&quot;&gt;d'é &amp; f&lt;/a&gt;`);
  });

  test('removes characters that XML 1.0 forbids and keeps tab, line feed and carriage return', () => {
    expect(escapeXml('a\u0000b\tc\nd\re\ud800f\ufffeg😀')).toBe('ab\tc\nd\refg😀');
  });

  test('leaves no character that opens markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeXml(text)).not.toMatch(/[<>"]/);
      }),
    );
  });
});
