import MailComposer from 'nodemailer/lib/mail-composer';
import { toAsciiAddress } from './address';

export interface MailAddress {
  name: string | null;
  address: string;
}

export interface MailAttachment {
  fileName: string;
  contentType: string;
  bytes: Buffer;
}

/** A message. Equal messages have equal bytes, so that a repetition is recognised by its `Message-ID`. */
export interface MailMessage {
  /** Identifies the message: RFC 5322 `Message-ID`, envelope id of delivery reports (RFC 3461) and MIME boundaries. */
  id: string;
  from: MailAddress;
  replyTo: string | null;
  to: readonly string[];
  cc: readonly string[];
  /** Recipients of the envelope of this transmission, which the message need not name; at least one. */
  recipients: readonly string[];
  /** Address of the envelope to which delivery reports are sent; null: that of `from`. */
  returnPath: string | null;
  subject: string;
  text: string;
  /** The same text as HTML. */
  html: string;
  date: Date;
  attachments: readonly MailAttachment[];
}

/** The domain of an address, in which `Message-ID` is unique. */
export const getMailDomain = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** The `Message-ID` of a message, derived from its record. */
export const buildMessageId = (id: string, from: string): string => `<${id}@${getMailDomain(from)}>`;

/** The message as transmitted. */
export function composeMessage(message: MailMessage): Promise<Buffer> {
  const { from } = message;
  const composer = new MailComposer({
    from: from.name === null ? from.address : { name: from.name, address: from.address },
    to: [...message.to],
    ...(message.cc.length === 0 ? {} : { cc: [...message.cc] }),
    ...(message.replyTo === null ? {} : { replyTo: message.replyTo }),
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: buildMessageId(message.id, from.address),
    date: message.date,
    baseBoundary: message.id,
    // RFC 3834: automatic responders do not answer.
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    attachments: message.attachments.map(({ fileName, contentType, bytes }) => ({
      filename: fileName,
      contentType,
      content: bytes,
    })),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

/** The message with addresses that every server accepts. */
export const encodeAddresses = (message: MailMessage): MailMessage => ({
  ...message,
  from: { ...message.from, address: toAsciiAddress(message.from.address) },
  replyTo: message.replyTo === null ? null : toAsciiAddress(message.replyTo),
  to: message.to.map(toAsciiAddress),
  cc: message.cc.map(toAsciiAddress),
  recipients: message.recipients.map(toAsciiAddress),
  returnPath: message.returnPath === null ? null : toAsciiAddress(message.returnPath),
});
