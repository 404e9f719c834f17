import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenWhenFree } from '../ports';
import { respondCompaniesHouse } from './registers/companies-house';
import { respondGleif } from './registers/gleif';
import { respondVies } from './registers/vies';

type Register = 'gleif' | 'companies-house' | 'vies';

/**
 * A company to check in tests that do not start the stand-ins. The service may ask those of another test about it; such
 * requests are answered, but neither listed nor made to fail.
 */
export const COMPANY_OF_OTHER_TESTS = 'Walk Ltd';

/** A response that replaces that of the register, to simulate failures. */
interface Fault {
  status: number;
  headers?: Record<string, string | string[]>;
  body?: string;
}

/**
 * Local stand-ins for company registers, with responses in their documented form. The service is configured with one
 * address, so one test file uses them at a time and others wait.
 */
export class CompanyRegisters {
  /** Requested paths, each prefixed by its register. */
  readonly requests: { register: Register; path: string; authorization: string | undefined; body: string }[] = [];
  private readonly faults = new Map<Register, Fault[]>();
  private readonly unavailable = new Set<Register>();
  /** Responses that wait for `release`; null if requests are answered at once. */
  private held: (() => void)[] | null = null;
  /** Requests whose client gave up while they were held. */
  abandoned = 0;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void text(request).then((body) => this.respond(request, body, response));
    });
  }

  /** Listens at the address that the service is configured with, once no other test file does. */
  static async start(): Promise<CompanyRegisters> {
    const registers = new CompanyRegisters();
    const port = Number(process.env['VOUCH_TEST_REGISTERS_PORT']);
    await listenWhenFree(registers.server, port);
    return registers;
  }

  /** Frees the address for the test file that waits for it. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  /** Sets the responses to the next requests to a register. */
  failNext(register: Register, ...faults: Fault[]): void {
    this.faults.set(register, faults);
  }

  /** Makes a register respond 503 until it is restored. */
  markUnavailable(register: Register): void {
    this.unavailable.add(register);
  }

  /** Ends `markUnavailable`. */
  markAvailable(register: Register): void {
    this.unavailable.delete(register);
  }

  /** Leaves requests to all registers without an answer until `release`. */
  hold(): void {
    this.held ??= [];
  }

  /** Answers the requests that are held, and all later ones. */
  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const answer of held) answer();
  }

  /** Number of requests to a register since the last call, which forgets the requests to every register. */
  takeRequestCount(register: Register): number {
    const count = this.requests.filter((request) => request.register === register).length;
    this.requests.length = 0;
    return count;
  }

  /** @returns the failure that was set for the request */
  private countRequest(request: CompanyRegisters['requests'][number]): Fault | undefined {
    const { register } = request;
    this.requests.push(request);
    return this.unavailable.has(register) ? { status: 503 } : this.faults.get(register)?.shift();
  }

  private respond(request: IncomingMessage, sent: string, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', 'http://registers');
    const [, register = '', ...rest] = url.pathname.split('/');
    const path = `/${rest.join('/')}`;
    if (register !== 'gleif' && register !== 'companies-house' && register !== 'vies') {
      response.writeHead(404).end();
      return;
    }
    const isOfOtherTests = [...url.searchParams.values()].includes(COMPANY_OF_OTHER_TESTS);
    if (this.held !== null && !isOfOtherTests) {
      this.held.push(() => this.respond(request, sent, response));
      response.once('close', () => {
        if (!response.writableFinished) this.abandoned += 1;
      });
      return;
    }
    const fault = isOfOtherTests
      ? undefined
      : this.countRequest({ register, path, authorization: request.headers.authorization, body: sent });
    if (fault !== undefined) {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? '');
      return;
    }
    const key = Buffer.from('test-companies-house-key:').toString('base64');
    if (register === 'companies-house' && request.headers.authorization !== `Basic ${key}`) {
      response.writeHead(401).end('{"error":"Invalid Authorization"}');
      return;
    }
    const handlers = { gleif: respondGleif, 'companies-house': respondCompaniesHouse };
    const body = register === 'vies' ? respondVies(path, sent) : handlers[register](path, url.searchParams);
    response
      .writeHead(body === null ? 404 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(body ?? { errors: [{ status: '404' }] }));
  }
}
