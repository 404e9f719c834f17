/**
 * The health check of the containers: exits with code 0 if the process is ready. A worker listens on
 * WORKER_HEALTH_PORT, the API on PORT, with TLS if it has a certificate.
 */
import { get as httpGet } from 'node:http';
import { get as httpsGet } from 'node:https';

const { WORKER_HEALTH_PORT, PORT = '3000', TLS_CERT } = process.env;
const secure = !WORKER_HEALTH_PORT && Boolean(TLS_CERT);
const options = { host: '127.0.0.1', port: WORKER_HEALTH_PORT || PORT, path: '/readyz', timeout: 8000 };
// The certificate is issued for the public name, which does not match the loopback address.
const request = secure ? httpsGet({ ...options, rejectUnauthorized: false }) : httpGet(options);
request.on('response', (response) => process.exit(response.statusCode === 200 ? 0 : 1));
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
