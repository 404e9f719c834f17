import { domainToASCII } from 'node:url';

/** Longest address of an envelope (RFC 5321, 4.5.3.1.3, without angle brackets). */
export const MAX_ADDRESS_LENGTH = 254;

/** Longest part before the sign (RFC 5321, 4.5.3.1.1). */
const MAX_LOCAL_PART_LENGTH = 64;

const LOCAL_PART = String.raw`([A-Za-z0-9_'+\-]+\.)*[A-Za-z0-9_'+\-]*[A-Za-z0-9_+\-]`;
/** Longest label of a domain in ASCII (RFC 1035, 2.3.4). */
const MAX_LABEL_LENGTH = 63;
/** The domain can have letters of every script; the last label of its ASCII form can be an encoded one. */
const DOMAIN = String.raw`([\p{L}\p{N}][\p{L}\p{M}\p{N}\-]*\.)+(\p{L}[\p{L}\p{M}]+|xn--[A-Za-z0-9\-]+)`;

/** What an e-mail address looks like, as a regular expression with the flag `u`. */
export const EMAIL_ADDRESS_PATTERN = `^${LOCAL_PART}@${DOMAIN}$`;

const EMAIL_ADDRESS = new RegExp(EMAIL_ADDRESS_PATTERN, 'u');
const NOT_ASCII = /\P{ASCII}/u;

/** The address with its domain in ASCII (RFC 5890), as SMTP without extensions needs it; `info@müller.de` is an example. */
export function toAsciiAddress(address: string): string {
  if (!NOT_ASCII.test(address)) return address;
  const at = address.lastIndexOf('@');
  return `${address.slice(0, at + 1)}${domainToASCII(address.slice(at + 1))}`;
}

/** Whether the parts of an address in ASCII are as long as SMTP and DNS permit; no label ends with a hyphen (RFC 1123). */
function hasValidParts(address: string): boolean {
  const at = address.lastIndexOf('@');
  const labels = address.slice(at + 1).split('.');
  return (
    at <= MAX_LOCAL_PART_LENGTH && labels.every((label) => label.length <= MAX_LABEL_LENGTH && !label.endsWith('-'))
  );
}

/** Whether a text is an e-mail address to which SMTP can transmit; its domain can be internationalised. */
export function isEmailAddress(text: string): boolean {
  if (!EMAIL_ADDRESS.test(text)) return false;
  const ascii = toAsciiAddress(text);
  if (!EMAIL_ADDRESS.test(ascii) || NOT_ASCII.test(ascii) || ascii.length > MAX_ADDRESS_LENGTH) return false;
  return hasValidParts(ascii);
}
