/** A JSON response. */
export type Json = Record<string, unknown>;

export interface File {
  body: Buffer;
  name: string;
}

/** Thrown when a response is not the one that the demonstration expects. */
export class CallError extends Error {
  override readonly name = 'CallError';
}

/** A minimal client of both APIs: a base address, a header with the credential, JSON and multipart bodies. */
export class Client {
  constructor(
    private readonly base: string,
    private readonly headers: Record<string, string>,
  ) {}

  /** @returns the JSON body @throws CallError unless the response is a success */
  json(method: string, path: string, body?: Json): Promise<Json> {
    return this.request(
      method,
      path,
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
    );
  }

  /** Posts fields and files as a multipart form. @throws CallError unless the response is a success */
  upload(path: string, fields: Record<string, string>, files: Record<string, File>): Promise<Json> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    for (const [name, file] of Object.entries(files))
      form.append(name, new Blob([new Uint8Array(file.body)]), file.name);
    return this.request('POST', path, { body: form });
  }

  /** Downloads a file. @throws CallError unless the response is a success */
  async bytes(path: string): Promise<Buffer> {
    const response = await fetch(`${this.base}${path}`, { headers: this.headers });
    if (!response.ok) throw new CallError(`GET ${path} returned status ${response.status}: ${await response.text()}`);
    return Buffer.from(await response.arrayBuffer());
  }

  private async request(
    method: string,
    path: string,
    init: { body?: string | FormData; headers?: Record<string, string> },
  ): Promise<Json> {
    const response = await fetch(`${this.base}${path}`, {
      method,
      ...init,
      headers: { ...this.headers, ...init.headers },
    });
    const responseBody = (await response.json()) as Json;
    if (!response.ok)
      throw new CallError(`${method} ${path} returned status ${response.status}: ${JSON.stringify(responseBody)}`);
    return responseBody;
  }
}

/** Reads a property of a response that must be an object. */
export function readObject(json: Json, name: string): Json {
  const value = json[name];
  if (typeof value !== 'object' || value === null) throw new CallError(`The response has no ${name}.`);
  return value as Json;
}

/** Reads a property of a response that must be text or a number. */
export function readText(json: Json, name: string): string {
  const value = json[name];
  if (typeof value !== 'string' && typeof value !== 'number') throw new CallError(`The response has no ${name}.`);
  return String(value);
}
