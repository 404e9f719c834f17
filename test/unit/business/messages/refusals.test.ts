import { isAddressRefused } from '../../../../domain/business/messages/refusals';

test.each([
  ['unknown mailbox', 550, '5.1.1'],
  ['mailbox disabled', 550, '5.2.1'],
  ['mailbox full', 552, '5.2.2'],
  ['domain without a route', null, '5.4.4'],
  ['unknown mailbox, without a subject in the enhanced code', 550, '5.0.0'],
  ['unknown mailbox, without an enhanced code', 550, null],
  ['invalid name of a mailbox, without an enhanced code', 553, null],
  ['returned without a reason', null, null],
  ['returned without a subject', null, '5.0.0'],
])('a refusal is about the address: %s', (_reason, replyCode, enhancedCode) => {
  expect(isAddressRefused({ replyCode, enhancedCode })).toBe(true);
});

test.each([
  ['address of the sender', 550, '5.1.8'],
  ['message too long for the mailbox', 552, '5.2.3'],
  ['message too big for the system', 552, '5.3.4'],
  ['protocol', 501, '5.5.4'],
  ['content', 554, '5.6.0'],
  ['policy', 550, '5.7.1'],
  ['policy of a large provider', 550, '5.7.515'],
  ['transaction failed, without an enhanced code', 554, null],
  ['size, without an enhanced code', 552, null],
  ['transaction failed, without a subject in the enhanced code', 554, '5.0.0'],
])('a refusal is about the message, its sender or a policy: %s', (_reason, replyCode, enhancedCode) => {
  expect(isAddressRefused({ replyCode, enhancedCode })).toBe(false);
});
