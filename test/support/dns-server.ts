import { createSocket } from 'node:dgram';

/** IPv4 addresses of a name, `absent` (NXDOMAIN) or `silent` (no response). */
export type DnsAnswer = { addresses: readonly string[]; ttl: number } | 'absent' | 'silent';

export interface DnsServer {
  /** `127.0.0.1:<port>`, for DNS_SERVERS. */
  readonly address: string;
  /** Names of the queries for IPv4 addresses, in the order of their arrival. */
  readonly queries: readonly string[];
  close(): Promise<void>;
}

const TYPE_A = 1;
const NXDOMAIN = 3;

/** The name in the question of a query, which begins after the header of 12 bytes, and where it ends. */
function readQuestion(query: Buffer): { name: string; end: number; type: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query.readUInt8(offset); length > 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: offset + 5, type: query.readUInt16BE(offset + 1) };
}

function buildRecord(address: string, ttl: number): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(ttl, 6);
  record.writeUInt16BE(4, 10);
  address.split('.').forEach((part, index) => record.writeUInt8(Number(part), 12 + index));
  return record;
}

function buildResponse(query: Buffer, end: number, answer: Exclude<DnsAnswer, 'silent'>, type: number): Buffer {
  const records =
    answer === 'absent' || type !== TYPE_A ? [] : answer.addresses.map((address) => buildRecord(address, answer.ttl));
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180 | (answer === 'absent' ? NXDOMAIN : 0), 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records]);
}

/** A DNS server over UDP on a local port. */
export async function startDnsServer(decide: (name: string) => DnsAnswer): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, end, type } = readQuestion(query);
    if (type === TYPE_A) queries.push(name);
    const answer = decide(name);
    if (answer !== 'silent') socket.send(buildResponse(query, end, answer, type), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
