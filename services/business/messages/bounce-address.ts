const PLUS = '+';

/**
 * The envelope sender of a message (VERP): the mailbox of delivery reports, with the id of the message as its detail
 * (RFC 5233), such as `bounces+msg_01J…@example.com`. A report to this address says by itself which message it is about.
 * @returns null without a mailbox
 */
export function buildReturnPath(bounceAddress: string | null, messageId: string): string | null {
  if (bounceAddress === null) return null;
  const at = bounceAddress.lastIndexOf('@');
  return `${bounceAddress.slice(0, at)}${PLUS}${messageId}${bounceAddress.slice(at)}`;
}

const MESSAGE_ID = /msg_[0-9A-HJKMNP-TV-Z]{26}/i;

/** Finds the id of a message in an address, a `Message-ID` or an envelope id; mail servers may change its case. */
export function findMessageIdIn(text: string): string | undefined {
  const found = MESSAGE_ID.exec(text)?.[0];
  return found === undefined ? undefined : `msg_${found.slice(4).toUpperCase()}`;
}
