import { freePorts } from './ports.mjs';

const RECEIVER_PORTS = 40;

/**
 * Ports that tests use: for webhook receivers that the service may call, for simulated company registers, and for a receiver of traces.
 * @typedef {{receivers: number[], registers: number, traces: number}} TestPorts
 */

/**
 * Reserves the ports for the tests of one stack.
 * @param {Set<number>} taken the stack's ports; the reserved ports are added and released with them
 * @returns {Promise<TestPorts>}
 */
export async function reserveTestPorts(taken) {
  const [registers, traces, ...receivers] = await freePorts(RECEIVER_PORTS + 2, taken);
  return { receivers, registers, traces };
}

/**
 * Adds the settings of a service under test: a token for metrics, rate limits that no test reaches by accident, webhook receivers that it may
 * call, and company registers at a local port where a test may serve them. Values that are already set are kept.
 * @param {NodeJS.ProcessEnv} env
 * @param {TestPorts} ports
 * @returns {NodeJS.ProcessEnv}
 */
export function addTestSettings(env, { receivers, registers, traces }) {
  const addresses = [...receivers, registers].map((port) => `127.0.0.1:${port}`);
  return {
    // Only requests that come with a sampled trace are recorded.
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${traces}`,
    TRACES_SAMPLE_RATIO: '0',
    METRICS_TOKEN: 'token-of-the-metrics-of-tests',
    RATE_LIMIT_IDENTITY_PER_MINUTE: '1000000',
    RATE_LIMIT_SESSION_CREATION_PER_MINUTE: '1000000',
    RATE_LIMIT_BUSINESS_PER_MINUTE: '1000000',
    RATE_LIMIT_AUTH_PER_MINUTE: '1000000',
    RATE_LIMIT_CAPTURE_PER_MINUTE: '1000000',
    RATE_LIMIT_EXPORTS_PER_MINUTE: '1000000',
    RATE_LIMIT_PAGES_PER_MINUTE: '1000000',
    GLEIF_URL: `http://127.0.0.1:${registers}/gleif`,
    COMPANIES_HOUSE_URL: `http://127.0.0.1:${registers}/companies-house`,
    COMPANIES_HOUSE_API_KEY: 'test-companies-house-key',
    VIES_URL: `http://127.0.0.1:${registers}/vies`,
    ...env,
    EGRESS_ALLOW: [env.EGRESS_ALLOW, ...addresses].filter(Boolean).join(','),
  };
}
