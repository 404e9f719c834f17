import type { Call } from './calls';
import { BusinessOperations } from './generated/business-operations';
import { Transport } from './transport';
import type { ClientOptions } from './transport';

/**
 * Client of the business API: a method for each operation. Every call is repeated only where that is safe.
 *
 * @example
 * const business = new VouchBusinessClient({ baseUrl: 'https://vouch.example.com', apiKey: process.env.VOUCH_BUSINESS_KEY });
 * const { data, totalCount } = await business.listInvoices({ status: 'issued' });
 */
export class VouchBusinessClient extends BusinessOperations {
  private readonly transport: Transport;

  constructor(options: ClientOptions) {
    super();
    this.transport = new Transport(options);
  }

  protected call<T>(call: Call): Promise<T> {
    return this.transport.send<T>(call);
  }
}
