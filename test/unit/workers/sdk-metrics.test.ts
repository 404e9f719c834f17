import { createServer } from 'node:http';
import { once } from 'node:events';
import { readSdkMetrics } from '../../../workers/temporal-runtime';

test('metrics of the SDK are empty when its answer breaks off', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-length': 1000 });
    response.write('temporal_', () => response.destroy());
  });
  try {
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The server has no port.');
    expect(await readSdkMetrics(address.port)).toBe('');
  } finally {
    server.close();
  }
});
