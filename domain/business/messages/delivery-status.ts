/** What a delivery report says about one recipient (RFC 3464, section 2.3). */
export interface RecipientReport {
  /** `failed`, `delayed`, `delivered`, `relayed` or `expanded`. */
  action: string;
  /** Enhanced status code (RFC 3463), such as `5.1.1`; null if it has another form. */
  status: string | null;
  /** Addresses that the report names for the recipient. */
  addresses: string[];
}

/** The content of a `message/delivery-status` part. */
export interface DeliveryStatus {
  /** Envelope id that the message was sent with; null if the reporting server does not return it. */
  originalEnvelopeId: string | null;
  recipients: RecipientReport[];
}

const ACTIONS: ReadonlySet<string> = new Set(['failed', 'delayed', 'delivered', 'relayed', 'expanded']);
const STATUS = /^([245]\.\d{1,3}\.\d{1,3})\b/;

/** The fields of one block, by name in lower case; a folded line continues the field before it. */
function parseFields(block: string): Map<string, string> {
  const unfolded = block.replace(/\n[ \t]+/g, ' ');
  const fields = new Map<string, string>();
  for (const line of unfolded.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.set(line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim());
  }
  return fields;
}

/** The address that the message was sent to, and the one that it was forwarded to. */
const ADDRESS_FIELDS = ['original-recipient', 'final-recipient'] as const;

/** The address of a field such as `rfc822; a@example.com`; undefined without one. */
const parseAddress = (value: string): string | undefined => /;\s*<?([^\s<>]+)>?/.exec(value)?.[1];

/** Parses a `message/delivery-status` part: a block about the message, then one for each recipient. */
export function parseDeliveryStatus(text: string): DeliveryStatus {
  const blocks = text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map(parseFields)
    .filter((fields) => fields.size > 0);
  const recipients = blocks.flatMap((fields) => {
    const action = fields.get('action')?.toLowerCase() ?? '';
    if (!ACTIONS.has(action)) return [];
    const status = STATUS.exec(fields.get('status') ?? '')?.[1] ?? null;
    const addresses = ADDRESS_FIELDS.flatMap((name) => parseAddress(fields.get(name) ?? '') ?? []);
    return [{ action, status, addresses }];
  });
  return { originalEnvelopeId: blocks[0]?.get('original-envelope-id') ?? null, recipients };
}
