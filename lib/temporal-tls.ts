import type { ConnectionOptions } from '@temporalio/client';
import type { Config } from './config';
import { ConfigError } from './config-error';
import { readPem } from './pem-file';

type TlsOptions = Exclude<ConnectionOptions['tls'], boolean | null | undefined>;

type TlsSettings = Pick<
  Config,
  | 'TEMPORAL_TLS'
  | 'TEMPORAL_TLS_CA_FILE'
  | 'TEMPORAL_TLS_CERT_FILE'
  | 'TEMPORAL_TLS_KEY_FILE'
  | 'TEMPORAL_TLS_SERVER_NAME'
>;

/**
 * TLS options of connections to Temporal; undefined without TLS. A file or a server name turns TLS on.
 * @throws ConfigError if a file cannot be read, or a certificate has no key
 */
export function readTemporalTls(config: TlsSettings): TlsOptions | undefined {
  const {
    TEMPORAL_TLS_CA_FILE: ca,
    TEMPORAL_TLS_CERT_FILE: certificate,
    TEMPORAL_TLS_KEY_FILE: key,
    TEMPORAL_TLS_SERVER_NAME: serverName,
  } = config;
  if ((certificate === undefined) !== (key === undefined))
    throw new ConfigError('TEMPORAL_TLS_CERT_FILE and TEMPORAL_TLS_KEY_FILE: set both or neither.');
  const isOn = config.TEMPORAL_TLS || [ca, certificate, serverName].some((setting) => setting !== undefined);
  if (!isOn) return undefined;
  return {
    ...(serverName === undefined ? {} : { serverNameOverride: serverName }),
    ...(ca === undefined ? {} : { serverRootCACertificate: readPem('TEMPORAL_TLS_CA_FILE', ca) }),
    ...(certificate === undefined || key === undefined
      ? {}
      : {
          clientCertPair: {
            crt: readPem('TEMPORAL_TLS_CERT_FILE', certificate),
            key: readPem('TEMPORAL_TLS_KEY_FILE', key),
          },
        }),
  };
}
