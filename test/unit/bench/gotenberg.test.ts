import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import busboy from 'busboy';
import { connectToGotenberg } from '../../../bench/compare/gotenberg';

interface Conversion {
  fields: Record<string, string>;
  files: { field: string; name: string; text: string }[];
}

/** Parses the multipart body as Gotenberg does. */
async function parseForm(request: IncomingMessage): Promise<Conversion> {
  const conversion: Conversion = { fields: {}, files: [] };
  const parser = busboy({ headers: request.headers });
  const reads: Promise<void>[] = [];
  parser.on('field', (name, value) => (conversion.fields[name] = value));
  parser.on('file', (field, stream, { filename }) =>
    reads.push(
      buffer(stream).then((body) => void conversion.files.push({ field, name: filename ?? '', text: body.toString() })),
    ),
  );
  request.pipe(parser);
  await once(parser, 'close');
  await Promise.all(reads);
  return conversion;
}

describe('the client of Gotenberg', () => {
  const conversions: Conversion[] = [];
  let server: Server;
  let base = '';
  /** Conversions that are answered together, once all of them have arrived. */
  let together = 1;
  const arrived: (() => void)[] = [];

  async function waitForOthers(): Promise<void> {
    const answered = new Promise<void>((resolve) => arrived.push(resolve));
    if (arrived.length >= together) arrived.splice(0).forEach((resolve) => resolve());
    await answered;
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/health') return void response.end('{"status":"up"}');
    if (request.url === '/version') return void response.end('8.20.0\n');
    if (request.method !== 'POST' || request.url !== '/forms/chromium/convert/html') {
      return void response.writeHead(404).end('Not Found');
    }
    const conversion = await parseForm(request);
    conversions.push(conversion);
    await waitForOthers();
    const page = conversion.files.find(({ field, name }) => field === 'files' && name === 'index.html');
    if (page === undefined)
      return void response.writeHead(400).end("Invalid form data: form file 'index.html' is required");
    response.setHeader('content-type', 'application/pdf');
    response.end(`%PDF-1.7 ${page.text.length}`);
  }

  beforeAll(async () => {
    server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    conversions.splice(0);
    together = 1;
  });
  afterAll(() => server.close());

  test('sends the page as index.html with the options for its own page size, and returns the PDF', async () => {
    const gotenberg = await connectToGotenberg(base);
    expect(gotenberg.version).toBe('8.20.0');
    const pdf = await gotenberg.convert('<h1>Rechnung Nº 1</h1>');
    expect(pdf.toString()).toMatch(/^%PDF-/);
    expect(conversions).toEqual([
      {
        fields: { preferCssPageSize: 'true', printBackground: 'true' },
        files: [{ field: 'files', name: 'index.html', text: '<h1>Rechnung Nº 1</h1>' }],
      },
    ]);
  });

  test('converts several pages at once', async () => {
    const gotenberg = await connectToGotenberg(base);
    together = 16;
    const pages = Array.from({ length: 16 }, (_, index) => `<p>${'x'.repeat(index)}</p>`);
    const pdfs = await Promise.all(pages.map((page) => gotenberg.convert(page)));
    expect(pdfs.map(String)).toEqual(pages.map((page) => `%PDF-1.7 ${page.length}`));
    expect(conversions).toHaveLength(16);
  });

  test('names the address where nothing responds, and the status and text of a refusal', async () => {
    await expect(connectToGotenberg('http://127.0.0.1:9')).rejects.toThrow(
      'No Gotenberg responds at http://127.0.0.1:9: start it, or leave out --gotenberg.',
    );
    const refusing = createServer((request, response) => {
      request.resume();
      response.writeHead(request.url === '/health' ? 200 : 503).end('Chromium is not ready');
    }).listen(0, '127.0.0.1');
    await once(refusing, 'listening');
    const gotenberg = await connectToGotenberg(`http://127.0.0.1:${(refusing.address() as AddressInfo).port}`);
    expect(gotenberg.version).toBe('unknown');
    await expect(gotenberg.convert('<p>')).rejects.toThrow('Gotenberg returned status 503: Chromium is not ready');
    refusing.close();
  });
});
