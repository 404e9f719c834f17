/** What a mail server said when it refused a message or returned it. */
export interface Refusal {
  replyCode: number | null;
  /** Enhanced status code (RFC 3463). */
  enhancedCode: string | null;
}

/** Address of the sender, length, mail system, protocol, content, and policy such as that of a filter (RFC 3463). */
const OF_MESSAGE = /^5\.(1\.[78]|2\.3|[3567]\.\d{1,3})$/;
/** Enhanced codes that name no subject. */
const WITHOUT_SUBJECT = /^5\.0\./;
/** Reply codes about the mailbox of the recipient (RFC 5321, 4.2.3). */
const MAILBOX_REPLIES: readonly number[] = [550, 551, 553];

/**
 * Whether a final refusal is about the address of the recipient, so that the next message to it is refused, too. One about
 * the message, its sender or the policy of a server can have another result once its cause is removed. Without any code the
 * address counts as refused.
 */
export function isAddressRefused({ replyCode, enhancedCode }: Refusal): boolean {
  if (enhancedCode !== null && !WITHOUT_SUBJECT.test(enhancedCode)) return !OF_MESSAGE.test(enhancedCode);
  return replyCode === null || MAILBOX_REPLIES.includes(replyCode);
}
