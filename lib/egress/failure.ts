import { AppError } from '../../domain/errors';
import type { UrlProblem } from './url';

/**
 * Why a request has no response. `address_not_public` includes host names that resolve to such an address.
 * - `timeout`: no complete response within the timeout;
 * - `dns_failed`: the name does not resolve;
 * - `dns_busy`: the tenant has too many lookups running, and nothing was sent; later attempts may succeed;
 * - `connection_failed`: refused, reset, unreachable, or closed before a response;
 * - `tls_failed`: no trusted certificate for the host name, or no common protocol;
 * - `invalid_response`: the response was not HTTP, or its headers were larger than 16 KiB.
 */
export type EgressReason =
  // The request is not sent.
  | UrlProblem
  // The request is sent, or its connection is attempted.
  | 'timeout'
  | 'dns_failed'
  | 'dns_busy'
  | 'connection_failed'
  | 'tls_failed'
  | 'invalid_response';

const MESSAGES: Record<EgressReason, string> = {
  not_a_url: 'is not an absolute URL',
  scheme_not_allowed: 'must begin with https://',
  https_required: 'must begin with https://',
  credentials_in_url: 'must not contain a user name or password',
  address_not_public: 'must lead to an address of the public internet',
  timeout: 'did not respond in time',
  dns_failed: 'has a host name that does not resolve',
  dns_busy: 'has a host name that waits for other lookups',
  connection_failed: 'could not be connected to, or closed the connection before it responded',
  tls_failed: 'has no TLS certificate that is trusted for its name',
  invalid_response: 'did not respond with valid HTTP',
};

const REJECTION_REASONS: ReadonlySet<EgressReason> = new Set<EgressReason>([
  'not_a_url',
  'scheme_not_allowed',
  'https_required',
  'credentials_in_url',
  'address_not_public',
]);

/** The second half of a sentence about the URL. It does not contain resolved addresses. */
export const describeReason = (reason: EgressReason): string => MESSAGES[reason];

/**
 * 400 `egress_refused` if the URL may not be called, 503 `egress_failed` if the request failed, 503 `egress_busy` if it
 * was not attempted.
 */
export const egressError = (reason: EgressReason): AppError => {
  const message = `The address ${MESSAGES[reason]}.`;
  if (REJECTION_REASONS.has(reason)) return new AppError('egress_refused', 400, message, { reason });
  return new AppError(reason === 'dns_busy' ? 'egress_busy' : 'egress_failed', 503, message, { reason });
};

const isReason = (value: unknown): value is EgressReason => typeof value === 'string' && value in MESSAGES;

/** The reason in an error made by {@link egressError}; undefined for any other error. */
export const getEgressReason = (error: unknown): EgressReason | undefined => {
  if (!(error instanceof AppError)) return undefined;
  const reason = error.details?.['reason'];
  return isReason(reason) ? reason : undefined;
};

/** The code of a system, TLS or undici error; undici's parser error often has none, so its name is used. */
const readErrorCode = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && error.name === 'HTTPParserError' ? 'HPE_' : '';
};

/** Families of OpenSSL and Node error codes for certificate problems. */
const TLS_CODE = /^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

/** Classifies errors of the socket, TLS and HTTP layers. */
export const classifyEgressFailure = (error: unknown): EgressReason => {
  const knownReason = getEgressReason(error);
  if (knownReason !== undefined) return knownReason;
  const code = readErrorCode(error);
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code)) return 'dns_failed';
  if (TLS_CODE.test(code)) return 'tls_failed';
  return /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/.test(code) ? 'invalid_response' : 'connection_failed';
};
