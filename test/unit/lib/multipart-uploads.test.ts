import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMultipartUploads, createS3Client } from '../../../lib/object-store';

let server: Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const describeUpload = (key: string): string =>
  `<Upload><Key>${key}</Key><UploadId>${key}-id</UploadId><Initiated>2026-11-01T00:00:00.000Z</Initiated></Upload>`;

/** A store that lists one upload per page, and in which every upload has ended once its parts are asked for. */
async function startStore(keys: readonly string[]): Promise<string> {
  server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://store');
    response.setHeader('Content-Type', 'application/xml');
    if (!searchParams.has('uploads')) {
      response.statusCode = 404;
      return void response.end('<Error><Code>NoSuchUpload</Code><Message>It has ended.</Message></Error>');
    }
    const position = keys.indexOf(searchParams.get('key-marker') ?? '') + 1;
    const key = keys[position] ?? '';
    const isTruncated = position < keys.length - 1;
    response.end(
      `<ListMultipartUploadsResult><Bucket>files</Bucket><NextKeyMarker>${key}</NextKeyMarker><NextUploadIdMarker>${key}-id</NextUploadIdMarker><IsTruncated>${isTruncated}</IsTruncated>${describeUpload(key)}</ListMultipartUploadsResult>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('uploads are listed over several pages, also those that end while they are listed', async () => {
  const endpoint = await startStore(['org_1/a', 'org_1/b', 'org_1/c']);
  const client = createS3Client({
    S3_ENDPOINT: endpoint,
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY: 'access',
    S3_SECRET_KEY: 'secret',
  });
  const found: object[] = [];
  for await (const upload of createMultipartUploads(client, client, 'files').listUploads('org_1/')) found.push(upload);
  expect(found).toEqual(
    ['a', 'b', 'c'].map((name) => ({
      key: `org_1/${name}`,
      uploadId: `org_1/${name}-id`,
      startedAt: new Date('2026-11-01'),
    })),
  );
});
