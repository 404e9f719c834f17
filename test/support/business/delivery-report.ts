/** A delivery report as mail servers write it (RFC 3464), which names the message in one way. */
export function buildReport(report: {
  id: string;
  names: 'envelope' | 'address' | 'headers';
  action: string;
  status: string;
  /** The address that the report is about. */
  recipient?: string;
}) {
  const { id, names, action, status, recipient = 'buyer@customer.example' } = report;
  return [
    'From: MAILER-DAEMON@mx.customer.example',
    `To: bounces${names === 'address' ? `+${id.toLowerCase()}` : ''}@seller.example`,
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain',
    '',
    'The mail system could not deliver your message.',
    '--b1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.customer.example',
    ...(names === 'envelope' ? [`Original-Envelope-Id: ${id}`] : []),
    '',
    `Final-Recipient: rfc822; ${recipient}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; 550 5.1.1 <${recipient}>:`,
    '    Recipient address rejected',
    '--b1',
    'Content-Type: message/rfc822',
    '',
    ...(names === 'headers' ? [`Message-ID: <${id}@seller.example>`] : ['Message-ID: <other@seller.example>']),
    'Subject: Rechnung',
    '',
    'Text',
    '--b1--',
    '',
  ].join('\n');
}
