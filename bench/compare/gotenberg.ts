const ROUTE = '/forms/chromium/convert/html';
const MAX_MESSAGE = 200;

/** A running Gotenberg, version 7 or later. */
export interface Gotenberg {
  /** As it states it; `unknown` before version 8. */
  readonly version: string;
  /** Prints an HTML page in the page size of its style sheet. @throws Error with the status and text of a refusal */
  convert(html: string): Promise<Buffer>;
}

async function readVersion(base: string): Promise<string> {
  const response = await fetch(new URL('/version', base));
  return response.ok ? (await response.text()).trim() : 'unknown';
}

/** @throws Error that names the address if nothing there responds as Gotenberg does */
async function requireHealth(base: string): Promise<void> {
  const response = await fetch(new URL('/health', base)).catch((error: unknown) => {
    throw new Error(`No Gotenberg responds at ${base}: start it, or leave out --gotenberg.`, { cause: error });
  });
  if (!response.ok) throw new Error(`Gotenberg at ${base} returned status ${response.status} for /health.`);
}

/** Connects to a running Gotenberg. @param base its address, such as http://127.0.0.1:3000 */
export async function connectToGotenberg(base: string): Promise<Gotenberg> {
  await requireHealth(base);
  return {
    version: await readVersion(base),
    async convert(html) {
      const form = new FormData();
      // The route requires this name.
      form.append('files', new Blob([html], { type: 'text/html' }), 'index.html');
      form.append('preferCssPageSize', 'true');
      form.append('printBackground', 'true');
      const response = await fetch(new URL(ROUTE, base), { method: 'POST', body: form });
      const body = Buffer.from(await response.arrayBuffer());
      if (response.ok) return body;
      throw new Error(`Gotenberg returned status ${response.status}: ${body.toString('utf8').slice(0, MAX_MESSAGE)}`);
    },
  };
}
