import { AppError } from '../../domain/errors';
import type { UrlProblem } from './url';

/**
 * Why a request got no answer. `address_not_public` also covers names that resolve to such an address.
 * - `timeout`: no whole answer within the time given;
 * - `dns_failed`: the name does not resolve;
 * - `connection_failed`: refused, reset, unreachable, or closed before an answer;
 * - `tls_failed`: no trusted certificate for that name, or no common protocol;
 * - `invalid_response`: what came was not HTTP, or its head was over 16 KiB.
 */
export type EgressReason =
  UrlProblem | 'timeout' | 'dns_failed' | 'connection_failed' | 'tls_failed' | 'invalid_response';

const MESSAGES: Record<EgressReason, string> = {
  not_a_url: 'is not an absolute URL',
  scheme_not_allowed: 'must begin with https://',
  https_required: 'must begin with https://',
  credentials_in_url: 'must not contain a user name or password',
  address_not_public: 'must lead to an address of the public internet',
  timeout: 'did not answer in time',
  dns_failed: 'has a host name that does not resolve',
  connection_failed: 'could not be connected to, or closed the connection before it answered',
  tls_failed: 'has no TLS certificate that is trusted for its name',
  invalid_response: 'did not answer in HTTP',
};

const REJECTION_REASONS: ReadonlySet<EgressReason> = new Set<EgressReason>([
  'not_a_url',
  'scheme_not_allowed',
  'https_required',
  'credentials_in_url',
  'address_not_public',
]);

/** What is wrong, as the end of a sentence that begins with the address. It names no address that was resolved. */
export const describeReason = (reason: EgressReason): string => MESSAGES[reason];

/** 400 `egress_refused` when the address may not be called, 503 `egress_failed` when the call failed. */
export const egressError = (reason: EgressReason): AppError =>
  REJECTION_REASONS.has(reason)
    ? new AppError('egress_refused', 400, `The address ${MESSAGES[reason]}.`, { reason })
    : new AppError('egress_failed', 503, `The address ${MESSAGES[reason]}.`, { reason });

const isReason = (value: unknown): value is EgressReason => typeof value === 'string' && value in MESSAGES;

/** The reason in an error made by {@link egressError}; undefined for any other error. */
export const getEgressReason = (error: unknown): EgressReason | undefined => {
  if (!(error instanceof AppError)) return undefined;
  const reason = error.details?.['reason'];
  return isReason(reason) ? reason : undefined;
};

/** The code of a system, TLS or undici error; undici's parser error often has none, so its name stands in. */
const readErrorCode = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return 'name' in error && error.name === 'HTTPParserError' ? 'HPE_' : '';
};

/** OpenSSL and Node name certificate problems in these families of codes. */
const TLS_CODE = /^(CERT_|ERR_TLS|ERR_SSL|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH|INVALID_CA|EPROTO)/;

/** Sorts what the socket, TLS and HTTP layers throw. */
export const classifyEgressFailure = (error: unknown): EgressReason => {
  const knownReason = getEgressReason(error);
  if (knownReason !== undefined) return knownReason;
  const code = readErrorCode(error);
  if (/TIMEOUT|ETIMEDOUT/.test(code)) return 'timeout';
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL)/.test(code)) return 'dns_failed';
  if (TLS_CODE.test(code)) return 'tls_failed';
  return /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_)/.test(code) ? 'invalid_response' : 'connection_failed';
};
