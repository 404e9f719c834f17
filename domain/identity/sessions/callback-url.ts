/**
 * Schemes that a browser runs, reads from the device or handles without leaving the page, or that could start an
 * arbitrary app. Every other scheme is one that an app has registered for itself.
 */
const REFUSED_SCHEMES = [
  'about',
  'blob',
  'chrome',
  'content',
  'data',
  'file',
  'filesystem',
  'ftp',
  'intent',
  'jar',
  'javascript',
  'mailto',
  'resource',
  'sms',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
];

/** The form of a callback URL, as a regular expression for schemas. */
export const CALLBACK_URL_PATTERN = `^(?!(${REFUSED_SCHEMES.join('|')}):)(https?://[^/\\s\\\\][^\\s\\\\]*|(?!https?:)[a-z][a-z0-9+.-]*:[^\\s\\\\]+)$`;

const CALLBACK_URL = new RegExp(CALLBACK_URL_PATTERN, 'i');

/** Whether a browser may be redirected to the URL: a page (http, https), or an app by a scheme of its own. */
export const isCallbackUrl = (text: string): boolean => CALLBACK_URL.test(text) && URL.canParse(text);
