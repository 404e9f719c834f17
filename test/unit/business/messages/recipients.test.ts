import {
  applyResults,
  determineMessageStatus,
  endQueued,
  isPartlySent,
  listRecipients,
} from '../../../../domain/business/messages/recipients';
import type { RecipientResult } from '../../../../domain/business/messages/recipients';
import { composeMessage } from '../../../../lib/mail/message';
import { renderMessageHtml } from '../../../../services/business/messages/message-html';

const reply = (result: RecipientResult['result'], replyCode: number): RecipientResult => ({
  result,
  replyCode,
  enhancedCode: null,
});

const listAddresses = (recipients: ReturnType<typeof listRecipients>): unknown[] =>
  recipients.map(({ address, field }) => [address, field]);

describe('the recipients of a message', () => {
  test('are each named once, in the first of to, cc and bcc, in any case', () => {
    const recipients = listRecipients({
      to: ['a@x.example', 'A@X.example'],
      cc: ['b@x.example'],
      bcc: ['B@x.example'],
    });
    expect(listAddresses(recipients)).toEqual([
      ['a@x.example', 'to'],
      ['b@x.example', 'cc'],
    ]);
  });

  test('decide the status of the message: it waits for the last one, and is partly sent if one was refused', () => {
    const recipients = listRecipients({ to: ['a@x.example'], cc: ['b@x.example'], bcc: ['c@x.example'] });
    const first = applyResults(
      recipients,
      [reply('accepted', 250), reply('rejected', 550), reply('deferred', 450)],
      false,
    );
    expect(first.map(({ status, replyCode }) => [status, replyCode])).toEqual([
      ['sent', 250],
      ['failed', 550],
      ['queued', 450],
    ]);
    expect(determineMessageStatus(first)).toBe('queued');
    const last = applyResults(first, [null, null, reply('deferred', 451)], true);
    expect([determineMessageStatus(last), isPartlySent(last)]).toEqual(['sent', true]);
    expect(determineMessageStatus(endQueued(recipients, 'cancelled'))).toBe('cancelled');
    expect(
      determineMessageStatus(
        applyResults(
          recipients,
          recipients.map(() => reply('unknown', 0)),
          true,
        ),
      ),
    ).toBe('failed');
  });

  test('of a message that was cancelled during its transmission are sent if the server accepted it, else cancelled', () => {
    const cancelled = endQueued(listRecipients({ to: ['a@x.example', 'b@x.example'], cc: [], bcc: [] }), 'cancelled');
    const results = [reply('accepted', 250), reply('deferred', 450)];
    expect(applyResults(cancelled, results, false).map(({ status }) => status)).toEqual(['sent', 'cancelled']);
  });

  test('in bcc are not in the message, and an attempt for fewer recipients has the same bytes', async () => {
    const message = {
      id: 'msg_1',
      from: { name: null, address: 'me@seller.example' },
      replyTo: null,
      to: ['a@x.example'],
      cc: ['b@x.example'],
      recipients: ['a@x.example', 'b@x.example', 'hidden@x.example'],
      returnPath: null,
      subject: 'S',
      text: 'T',
      html: '<p>T</p>',
      date: new Date(0),
      attachments: [],
    };
    const raw = await composeMessage(message);
    expect(raw.toString()).toContain('Cc: b@x.example');
    expect(raw.toString()).not.toContain('hidden');
    expect((await composeMessage({ ...message, recipients: ['hidden@x.example'] })).equals(raw)).toBe(true);
  });
});

describe('the HTML of a message', () => {
  const render = (text: string): string => renderMessageHtml(text, 'Subject', 'de').replace(/\s*\n\s*/g, '');

  test('has the paragraphs, lines and links of the text, and nothing that is loaded', () => {
    const page = render('Guten Tag,\n\nsiehe https://pay.example/i/abc?x=1&y=2.\nGruß\n');
    expect(page).toContain('<html lang="de">');
    expect(page).toContain('<p dir="auto">Guten Tag,</p>');
    expect(page).toContain(
      'siehe <a href="https://pay.example/i/abc?x=1&amp;y=2">https://pay.example/i/abc?x=1&amp;y=2</a>.<br />Gruß</p>',
    );
    expect(page).not.toMatch(/<(img|link|script|iframe|style)|src=|url\(/);
  });

  test('escapes markup, and links web addresses alone', () => {
    const page = render('<img src=x onerror=alert(1)> javascript:alert(1) https://a.example/"onclick="x');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; javascript:alert(1) ');
    expect(page.match(/<a /g)).toHaveLength(1);
    expect(page).toContain('<a href="https://a.example/">https://a.example/</a>&quot;onclick=&quot;x');
  });
});
