import fc from 'fast-check';
import { DEFAULT_TEMPLATES } from '../../../../domain/business/messages/default-templates';
import { DOCUMENT_LANGUAGES } from '../../../../domain/business/invoices/invoice';
import {
  computeMailRetryDelaySeconds,
  MAIL_RETRY_DELAYS_SECONDS,
} from '../../../../domain/business/messages/retry-schedule';
import {
  fillTemplate,
  findTemplateProblem,
  PLACEHOLDER_NAMES,
  TEMPLATE_KINDS,
} from '../../../../domain/business/messages/templates';
import type { PlaceholderValues } from '../../../../domain/business/messages/templates';
import { buildReturnPath, findMessageIdIn } from '../../../../services/business/messages/bounce-address';
import { parseDeliveryStatus } from '../../../../domain/business/messages/delivery-status';
import { newId } from '../../../../lib/ids';

const values = (own: Partial<PlaceholderValues> = {}): PlaceholderValues =>
  ({ ...Object.fromEntries(PLACEHOLDER_NAMES.map((name) => [name, `<${name}>`])), ...own }) as PlaceholderValues;

describe('the text of a message', () => {
  test('replaces each placeholder once, also with spaces', () => {
    const template = { subject: '{{documentNumber}}', text: 'An {{ customerName }}: {{total}}' };
    expect(fillTemplate(template, values({ customerName: '{{total}}', total: '$& $1' }))).toEqual({
      subject: '<documentNumber>',
      text: 'An {{total}}: $& $1\n',
    });
  });

  test('leaves out a line that has only placeholders without a value', () => {
    const template = { subject: 'x', text: 'A\n\n{{fee}}\n{{interestText}}\n\nB' };
    expect(fillTemplate(template, values({ fee: '', interestText: '' })).text).toBe('A\n\nB\n');
    expect(fillTemplate(template, values({ interestText: '' })).text).toBe('A\n\n<fee>\n\nB\n');
  });

  test('has a subject of one line for any values, so that no header can be added', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (customerName) => {
        const { subject } = fillTemplate({ subject: 'To {{customerName}}', text: '' }, values({ customerName }));
        expect(subject).not.toMatch(/[\r\n\u2028\u2029]/);
      }),
    );
  });

  test.each(['{{constructor}}', '{{ }}', '{{total', 'total}}', '{{total.x}}'])('cannot have %s', (text) => {
    expect(findTemplateProblem(text)).toContain('{{documentNumber}}');
  });

  test('has a valid default for every kind and language', () => {
    for (const language of DOCUMENT_LANGUAGES)
      for (const kind of TEMPLATE_KINDS) {
        const template = DEFAULT_TEMPLATES[language][kind];
        expect([findTemplateProblem(template.subject), findTemplateProblem(template.text)]).toEqual([
          undefined,
          undefined,
        ]);
        const { text } = fillTemplate(template, values());
        if (kind !== 'statement') expect(text).toContain('<documentNumber>');
        if (kind !== 'credit_note') expect(text).toContain('<openAmount>');
      }
  });
});

test('attempts that are deferred are repeated within minutes at first, and for about three days', () => {
  const total = MAIL_RETRY_DELAYS_SECONDS.reduce((sum, delay) => sum + delay, 0);
  expect(total / 86_400).toBeGreaterThan(3);
  expect(total / 86_400).toBeLessThan(4);
  expect(computeMailRetryDelaySeconds(1, 0)).toBe(60);
  expect(computeMailRetryDelaySeconds(1, 0.999)).toBe(66);
  expect(computeMailRetryDelaySeconds(MAIL_RETRY_DELAYS_SECONDS.length + 1, 0)).toBeNull();
});

describe('the address for delivery reports', () => {
  test('has the id of the message, which is found again in any case', () => {
    const id = newId('msg');
    const address = buildReturnPath('bounces@mail.example', id);
    expect(address).toBe(`bounces+${id}@mail.example`);
    expect(findMessageIdIn((address ?? '').toLowerCase())).toBe(id);
    expect(buildReturnPath(null, id)).toBeNull();
    expect(findMessageIdIn('bounces@mail.example')).toBeUndefined();
  });
});

describe('a delivery status', () => {
  test('has one entry for each recipient, with folded lines and any case', () => {
    const text =
      'Reporting-MTA: dns; mx\r\nORIGINAL-ENVELOPE-ID: abc\r\n\r\nFinal-Recipient: rfc822; a@x\r\nAction: Failed\r\nStatus: 5.1.1 (no\r\n such user)\r\n\r\nfinal-recipient: rfc822; b@x\r\naction: delayed\r\nstatus: none\r\n';
    expect(parseDeliveryStatus(text)).toEqual({
      originalEnvelopeId: 'abc',
      recipients: [
        { action: 'failed', status: '5.1.1', addresses: ['a@x'] },
        { action: 'delayed', status: null, addresses: ['b@x'] },
      ],
    });
  });

  test('is read from any text without an error', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        for (const { action } of parseDeliveryStatus(text).recipients) expect(action).toMatch(/^[a-z]+$/);
      }),
    );
  });
});
