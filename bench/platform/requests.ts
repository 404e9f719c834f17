import { sendRequest } from '../load/http';
import type { RequestOptions } from '../load/http';
import { readLoadAverage, startProcessorMeter } from '../process-meters';
import { report } from '../report';
import { readRunningService } from '../../scripts/demo/running-service';

const WARM_UP = 50;
const REQUESTS = 400;

interface MeasuredRequest {
  name: string;
  method: string;
  path: string;
  status: number;
  buildOptions: () => RequestOptions;
}

async function listRequests(api: string, admin: { email: string; password: string }): Promise<MeasuredRequest[]> {
  const login = await sendRequest(api, 'POST', '/api/auth/login', { json: admin });
  const { token } = login.body['data'] as { token: string };
  let created = 0;
  const get = (name: string, path: string, status: number, options: RequestOptions): MeasuredRequest => ({
    name,
    method: 'GET',
    path,
    status,
    buildOptions: () => options,
  });
  const post = (name: string, status: number, buildJson: () => object): MeasuredRequest => ({
    name,
    method: 'POST',
    path: '/api/customers',
    status,
    buildOptions: () => ({ token, json: buildJson() }),
  });
  return [
    get('health', '/healthz', 200, {}),
    get('withoutCredential', '/api/customers', 401, { token: 'none' }),
    get('unknownRecord', '/api/customers/999999999', 404, { token }),
    get('list', '/api/customers?pageSize=1', 200, { token }),
    post('refused', 400, () => ({})),
    post('created', 201, () => ({ name: `Benchmark customer ${Date.now()}-${(created += 1)}` })),
  ];
}

/** Sends small requests one after another and reports the processor time that each costs API and database. */
export async function benchRequests(): Promise<void> {
  const { api, admin } = readRunningService();
  const figures: Record<string, number> = {};
  for (const { name, method, path, status, buildOptions } of await listRequests(api, admin)) {
    const send = async (): Promise<void> => {
      const response = await sendRequest(api, method, path, buildOptions());
      if (response.status !== status) throw new Error(`${method} ${path} returned status ${response.status}.`);
    };
    for (let count = 0; count < WARM_UP; count += 1) await send();
    const readUse = startProcessorMeter(['api', 'mongod']);
    for (let count = 0; count < REQUESTS; count += 1) await send();
    for (const [role, milliseconds] of Object.entries(readUse(REQUESTS))) figures[`${name}_${role}`] = milliseconds;
  }
  report('requests', { requestsOfEachKind: REQUESTS, ...figures, load: readLoadAverage() });
}
