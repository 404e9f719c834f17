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

type Upload = readonly [key: string, uploadId: string];

const describeUpload = ([key, uploadId]: Upload): string =>
  `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>2026-11-01T00:00:00.000Z</Initiated></Upload>`;

/** A store that lists one upload per page, and in which every upload has ended once its parts are asked for. */
async function startStore(uploads: readonly Upload[]): Promise<string> {
  server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://store');
    response.setHeader('Content-Type', 'application/xml');
    if (!searchParams.has('uploads')) {
      response.statusCode = 404;
      return void response.end('<Error><Code>NoSuchUpload</Code><Message>It has ended.</Message></Error>');
    }
    const [keyMarker, idMarker] = [searchParams.get('key-marker') ?? '', searchParams.get('upload-id-marker') ?? ''];
    // Without the marker of an id, S3 continues after all uploads of the key.
    const remaining = uploads.filter(
      ([key, id]) => key > keyMarker || (key === keyMarker && idMarker !== '' && id > idMarker),
    );
    const [listed = ['', ''] as const] = remaining;
    const [key, id] = listed;
    response.end(
      `<ListMultipartUploadsResult><Bucket>files</Bucket><NextKeyMarker>${key}</NextKeyMarker><NextUploadIdMarker>${id}</NextUploadIdMarker><IsTruncated>${remaining.length > 1}</IsTruncated>${describeUpload(listed)}</ListMultipartUploadsResult>`,
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('uploads are listed over several pages, also two of one key and those that end while they are listed', async () => {
  const uploads = [
    ['org_1/a', 'id-1'],
    ['org_1/b', 'id-2'],
    ['org_1/b', 'id-3'],
    ['org_1/c', 'id-4'],
  ] as const;
  const endpoint = await startStore(uploads);
  const client = createS3Client({
    S3_ENDPOINT: endpoint,
    S3_REGION: 'us-east-1',
    S3_ACCESS_KEY: 'access',
    S3_SECRET_KEY: 'secret',
  });
  const found: object[] = [];
  for await (const upload of createMultipartUploads(client, client, 'files').listUploads('org_1/')) found.push(upload);
  expect(found).toEqual(uploads.map(([key, uploadId]) => ({ key, uploadId, startedAt: new Date('2026-11-01') })));
});
