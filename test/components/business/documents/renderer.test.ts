import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { PRINT_ONLY } from '../../../../activities/rendering/print-only';
import { createRenderer } from '../../../../activities/rendering/renderer';
import type { Renderer, RendererOptions } from '../../../../activities/rendering/renderer';
import type { BrowserEvent } from '../../../../activities/rendering/browser-slot';
import { renderDocumentHtml } from '../../../../activities/rendering/template/document';
import { DOCUMENT_LANGUAGES } from '../../../../domain/business/invoices/invoice';
import { HOUR_MS } from '../../../../domain/durations';
import { findChromium } from '../../../support/chromium';
import { pollUntilFound } from '../../../support/poll';
import { buildSampleDocument } from '../../../support/business/sample-document';
import { isRunning } from '../../../support/is-running';

const IDENTITY = { issuedAt: new Date('2026-11-21T10:15:30.999Z'), contentId: 'a document' };

/** A PNG of one red pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGM4oKAAAAKkAQHjTKctAAAAAElFTkSuQmCC';

/** Longer than a browser takes to start on a busy machine. */
const RESPONSE_TIMEOUT_MS = 20_000;

/** A program that speaks the protocol of a browser. */
const STUCK_BROWSER = require.resolve('../../../support/stuck-browser.mjs');

let executablePath: string;
let workFolder: string;
let events: BrowserEvent[];
const openRenderers: Renderer[] = [];

function startRenderer(options: Partial<RendererOptions> = {}): Renderer {
  const renderer = createRenderer({
    sandbox: process.env['CHROMIUM_SANDBOX'] !== 'false',
    executablePath,
    workFolder,
    onEvent: (event) => events.push(event),
    ...options,
  });
  openRenderers.push(renderer);
  return renderer;
}

const printSmall = (renderer: Renderer) => renderer.renderPdf('<!doctype html><title>t</title><p>t</p>', IDENTITY);

const listRetirements = () => events.flatMap((event) => (event.kind === 'browser_retired' ? [event.reason] : []));

beforeAll(async () => {
  executablePath = await findChromium();
  workFolder = await mkdtemp(path.join(tmpdir(), 'vouch-fonts-'));
});

beforeEach(() => {
  events = [];
});

afterEach(async () => {
  await Promise.all(openRenderers.splice(0).map((renderer) => renderer.close()));
});

afterAll(async () => {
  await rm(workFolder, { recursive: true, force: true });
});

describe('a printed document', () => {
  test('has the same bytes from two new browsers and from a reused page', async () => {
    const page = renderDocumentHtml(buildSampleDocument(8, 'de'));
    const first = startRenderer({ pages: 1 });
    const fresh = await first.renderPdf(page, IDENTITY);
    await first.renderPdf(renderDocumentHtml(buildSampleDocument(40, 'fr')), {
      issuedAt: new Date(0),
      contentId: 'another',
    });
    const reused = await first.renderPdf(page, IDENTITY);
    const second = await startRenderer({ pages: 1 }).renderPdf(page, IDENTITY);
    expect(reused.equals(fresh)).toBe(true);
    expect(second.equals(fresh)).toBe(true);
  });

  test.each([1, 40])('of %i lines has the same bytes as with layout for the screen', async (lines) => {
    const logo = `data:image/png;base64,${PIXEL}`;
    const page = renderDocumentHtml(
      buildSampleDocument(lines, 'de', { seller: { ...buildSampleDocument().seller, logo } }),
    );
    expect(page).toContain(PRINT_ONLY);
    const renderer = startRenderer();
    const [hidden, shown] = await Promise.all(
      [page, page.replace(PRINT_ONLY, '')].map((html) => renderer.renderPdf(html, IDENTITY)),
    );
    expect(shown?.equals(hidden ?? Buffer.alloc(0))).toBe(true);
  });

  test('has the instant of issue, an identifier of its content, its title, and Noto Sans', async () => {
    const bytes = await startRenderer().renderPdf(renderDocumentHtml(buildSampleDocument()), IDENTITY);
    const pdf = await PDFDocument.load(bytes, { updateMetadata: false });
    expect(pdf.getCreationDate()?.toISOString()).toBe('2026-11-21T10:15:30.000Z');
    expect(pdf.getModificationDate()?.toISOString()).toBe('2026-11-21T10:15:30.000Z');
    expect(pdf.getTitle()).toBe('Invoice INV-2026-000042');
    const text = bytes.toString('latin1');
    expect(text).toMatch(/\/ID \[<([0-9a-f]{32})> <\1>\]/);
    const fonts = [...text.matchAll(/\/BaseFont \/[A-Z]{6}\+(\w+)/g)].map(([, name]) => name);
    expect(new Set(fonts)).toEqual(new Set(['NotoSans']));
  });

  test('has as many pages as a thousand lines need', async () => {
    const renderer = startRenderer();
    const countPages = async (lines: number) => {
      const pdf = await PDFDocument.load(
        await renderer.renderPdf(renderDocumentHtml(buildSampleDocument(lines)), IDENTITY),
      );
      return pdf.getPageCount();
    };
    expect(await countPages(1)).toBe(1);
    const pages = await countPages(1000);
    expect(pages).toBeGreaterThanOrEqual(30);
    expect(pages).toBeLessThanOrEqual(60);
  });

  test.each(DOCUMENT_LANGUAGES)('fits a usual invoice in %s on one A4 page', async (language) => {
    const pdf = await PDFDocument.load(
      await startRenderer().renderPdf(renderDocumentHtml(buildSampleDocument(8, language)), IDENTITY),
    );
    expect(pdf.getPageCount()).toBe(1);
    const { width, height } = pdf.getPage(0).getSize();
    expect([Math.round(width), Math.round(height)]).toEqual([595, 842]);
  });

  test('finds a glyph for Latin, Greek, Cyrillic, Arabic and CJK names', async () => {
    const buyer = { name: 'Ωμέγα Ёлка شركة القهوة 東京コーヒー 咖啡', addressLines: ['Łódź, Žižkov, İzmir, Đà Nẵng'] };
    const bytes = await startRenderer().renderPdf(
      renderDocumentHtml(buildSampleDocument(1, 'en', { buyer })),
      IDENTITY,
    );
    const fonts = new Set(
      [...bytes.toString('latin1').matchAll(/\/BaseFont \/[A-Z]{6}\+(\w+)/g)].map(([, name]) => name),
    );
    expect(fonts).toEqual(new Set(['NotoSans', 'NotoSansArabic', 'NotoSansSC']));
  });
});

describe('the rendering engine', () => {
  test('sends no request and runs no script', async () => {
    let hits = 0;
    const server = createServer((_, response) => {
      hits += 1;
      response.end('x');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const origin = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
    const hostile = `<!doctype html><meta charset=utf-8><title>t</title><link rel=stylesheet href=${origin}/a.css>
      <style>@import "${origin}/b.css"; body { background: url(${origin}/c.png) }</style>
      <img src=${origin}/d.png><iframe src=${origin}/e></iframe><object data=${origin}/f></object>
      <meta http-equiv=refresh content="0;url=${origin}/g"><script>fetch('${origin}/h'); document.title = 'changed'</script>`;
    const pdf = await PDFDocument.load(await startRenderer().renderPdf(hostile, IDENTITY), { updateMetadata: false });
    await new Promise((resolve) => server.close(resolve));
    expect(hits).toBe(0);
    expect(pdf.getTitle()).toBe('t');
  });

  test('rejects with a retryable error if its browser is killed, and prints the next document in a new browser', async () => {
    const renderer = startRenderer({ pages: 1 });
    await printSmall(renderer);
    const [pid] = renderer.pids();
    const long = renderer.renderPdf(renderDocumentHtml(buildSampleDocument(1000)), IDENTITY);
    process.kill(pid ?? 0, 'SIGKILL');
    await expect(long).rejects.toMatchObject({ code: 'rendering_failed', status: 503 });
    await printSmall(renderer);
    expect(renderer.pids()).not.toContain(pid);
    expect(listRetirements()).toHaveLength(1);
  });

  test('prints a document once more in a new browser if an image of it did not load', async () => {
    const renderer = startRenderer({ pages: 1 });
    const printImage = (content: string) =>
      renderer.renderPdf(
        `<!doctype html><title>t</title><img width=9 height=9 src="data:image/png;base64,${content}">`,
        IDENTITY,
      );
    const intact = await printImage(PIXEL);
    expect(listRetirements()).toEqual([]);
    // An image that no browser can decode is printed as missing, in the same way each time.
    const broken = await printImage('AAAA');
    expect(listRetirements()).toEqual(['failure']);
    expect((await printImage(PIXEL)).equals(intact)).toBe(true);
    expect((await printImage('AAAA')).equals(broken)).toBe(true);
    expect(broken.equals(intact)).toBe(false);
  });

  test('replaces a browser that ended while idle', async () => {
    const renderer = startRenderer({ pages: 1 });
    await printSmall(renderer);
    const [pid] = renderer.pids();
    process.kill(pid ?? 0, 'SIGKILL');
    while (renderer.pids().includes(pid ?? 0)) await printSmall(renderer).catch(() => undefined);
    await printSmall(renderer);
  });

  /** A program that is a browser of the support folder when it is first started, and Chromium from then on. */
  async function writeLauncher(...firstBrowser: string[]): Promise<{ launcher: string; pidFile: string }> {
    const folder = await mkdtemp(path.join(workFolder, 'stuck-'));
    const launcher = path.join(folder, 'browser');
    const pidFile = path.join(folder, 'pid');
    const first = `exec ${[process.execPath, ...firstBrowser].map((word) => `"${word}"`).join(' ')}`;
    const script = `#!/bin/sh\n[ -e "${pidFile}" ] || { echo $$ > "${pidFile}"; ${first}; }\nexec "${executablePath}" "$@"\n`;
    await writeFile(launcher, script, { mode: 0o755 });
    return { launcher, pidFile };
  }

  test('starts a browser that ends while it starts once more, and prints the document', async () => {
    const { launcher } = await writeLauncher('-e', 'process.exitCode = 1');
    await printSmall(startRenderer({ executablePath: launcher, pages: 1 }));
    expect(events).toMatchObject([{ kind: 'browser_started' }]);
  });

  test('replaces a browser that ends while its first page is opened at once', async () => {
    const { launcher } = await writeLauncher(STUCK_BROWSER, 'ends-at-first-page');
    const renderer = startRenderer({ executablePath: launcher, pages: 1, responseTimeoutMs: HOUR_MS });
    // Not a limit of time, after which the document would be rejected as well.
    const reason = { code: 'rendering_failed', status: 503, details: { cause: 'Chromium has ended.' } };
    await expect(printSmall(renderer)).rejects.toMatchObject(reason);
    await printSmall(renderer);
    expect(listRetirements()).toEqual(['failure']);
  });

  test('ends a browser that starts and never becomes usable, and prints the next document in a new one', async () => {
    const { launcher, pidFile } = await writeLauncher(STUCK_BROWSER);
    const renderer = startRenderer({ executablePath: launcher, pages: 1, responseTimeoutMs: RESPONSE_TIMEOUT_MS });
    await expect(printSmall(renderer)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    const pid = Number(await readFile(pidFile, 'utf8'));
    await pollUntilFound(() => Promise.resolve(isRunning(pid) ? undefined : true));
    await printSmall(renderer);
  });

  test('replaces a browser that stops responding while one page prints and another one is opened', async () => {
    const renderer = startRenderer({ pages: 2, responseTimeoutMs: RESPONSE_TIMEOUT_MS });
    await printSmall(renderer);
    const [pid] = renderer.pids();
    process.kill(pid ?? 0, 'SIGSTOP');
    const outcomes = await Promise.allSettled([printSmall(renderer), printSmall(renderer)]);
    expect(outcomes).toMatchObject([
      { status: 'rejected', reason: { code: 'rendering_failed', status: 503 } },
      { status: 'rejected', reason: { code: 'rendering_failed', status: 503 } },
    ]);
    await printSmall(renderer);
    expect(renderer.pids()).not.toContain(pid);
    expect(listRetirements()).toEqual(['failure']);
  });

  test('rejects a document that exceeds the timeout and continues with others', async () => {
    const renderer = startRenderer({ pages: 1, renderTimeoutMs: 1 });
    await expect(renderer.renderPdf(renderDocumentHtml(buildSampleDocument(200)), IDENTITY)).rejects.toMatchObject({
      code: 'rendering_failed',
    });
    expect(listRetirements()).toEqual(['failure']);
  });

  test('a single document is printed before the documents of an archive that already wait', async () => {
    const renderer = startRenderer({ pages: 1 });
    const page = renderDocumentHtml(buildSampleDocument(3));
    const order: string[] = [];
    const archive = renderer.forArchives();
    const all = [
      ...[1, 2, 3, 4].map((at) => archive.renderPdf(page, IDENTITY).then(() => order.push(`archive ${at}`))),
      renderer.renderPdf(page, IDENTITY).then(() => order.push('single')),
    ];
    await Promise.all(all);
    expect(order).toEqual(['archive 1', 'single', 'archive 2', 'archive 3', 'archive 4']);
  });

  test('replaces a browser after the maximum number of documents without losing a job', async () => {
    const renderer = startRenderer({ pages: 2, pagesPerBrowser: 2, maxRendersPerBrowser: 5 });
    const page = renderDocumentHtml(buildSampleDocument(3));
    const all = await Promise.all(Array.from({ length: 20 }, () => renderer.renderPdf(page, IDENTITY)));
    expect(new Set(all.map((bytes) => bytes.toString('latin1'))).size).toBe(1);
    expect(listRetirements().filter((reason) => reason === 'jobs').length).toBeGreaterThanOrEqual(2);
    expect(listRetirements()).not.toContain('failure');
  });

  test('replaces a browser that uses too much memory', async () => {
    const renderer = startRenderer({ pages: 1, maxResidentBytes: 1, memoryCheckEvery: 1 });
    await printSmall(renderer);
    // Kernels without /proc do not report memory; there only the number of documents decides.
    expect(listRetirements()).toEqual(process.platform === 'linux' ? ['memory'] : []);
  });

  test('is healthy while it prints, and reports a browser that cannot start', async () => {
    await startRenderer().health();
    const broken = startRenderer({ executablePath: path.join(workFolder, 'no-such-browser') });
    await expect(broken.health()).rejects.toMatchObject({ code: 'unavailable' });
  });

  test('rejects jobs after it is closed', async () => {
    const renderer = startRenderer();
    await renderer.close();
    await expect(printSmall(renderer)).rejects.toMatchObject({ code: 'rendering_failed' });
  });
});
