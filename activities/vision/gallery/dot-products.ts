/** Assembled form of dot-products.wat: 32-bit dot products of quantised rows with a query, using SIMD. */
const MODULE =
  'AGFzbQEAAAABCAFgBH9/f38AAwIBAAUDAQABBxgCBm1lbW9yeQIAC2RvdFByb2R1Y3RzAAAKpgEBowECAn8CeyABQYAIaiEFAkAD' +
  'QCACRQ0B/QwAAAAAAAAAAAAAAAAAAAAAIQcgASEEA0AgAP0ABAAhBiAHIAb9hwEgBP0ABAD9ugEgBv2IASAE/QAEEP26Af2uAf2u' +
  'ASEHIABBEGohACAEQSBqIQQgBCAFSQ0ACyADIAf9GwAgB/0bAWogB/0bAiAH/RsDamo2AgAgA0EEaiEDIAJBAWshAgwACwsL';

const PAGE_BYTES = 65_536;
/** Memory layout: the query (512 16-bit values), the results, then the rows. */
const QUERY_AT = 0;
const OUT_AT = 1024;

interface Instance {
  memory: WebAssembly.Memory;
  dotProducts: (rows: number, query: number, count: number, out: number) => void;
}

function isInstance(exported: object): exported is Instance {
  return (
    'memory' in exported &&
    exported.memory instanceof WebAssembly.Memory &&
    'dotProducts' in exported &&
    typeof exported.dotProducts === 'function'
  );
}

/** The bytes of the assembled module. */
export const decodeModule = (): Buffer => Buffer.from(MODULE, 'base64');

/**
 * Computes dot products of rows of 512 bytes with a query of 512 values. Rows are copied into the memory of the module
 * one chunk at a time: a chunk fits the processor cache, and shared module memory would reserve gigabytes of address
 * space.
 */
export class DotProducts {
  private readonly instance: Instance;

  constructor() {
    const instance = new WebAssembly.Instance(new WebAssembly.Module(decodeModule()));
    if (!isInstance(instance.exports)) throw new Error('The WebAssembly module of dot products lacks an export.');
    this.instance = instance.exports;
  }

  /** @param query the product of its norm and the norm of any row must be below 2^31 */
  setQuery(query: Int16Array): void {
    new Int16Array(this.instance.memory.buffer, QUERY_AT, query.length).set(query);
  }

  /** The dot products of the first `count` rows; overwritten by the next call. */
  compute(rows: Int8Array, count: number, dimensions: number): Int32Array {
    const { memory, dotProducts } = this.instance;
    // Rows start at a multiple of 16 bytes, the alignment of SIMD loads.
    const rowsAt = OUT_AT + 16 * Math.ceil((4 * count) / 16);
    const missing = rowsAt + count * dimensions - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
    new Int8Array(memory.buffer, rowsAt, count * dimensions).set(rows.subarray(0, count * dimensions));
    dotProducts(rowsAt, QUERY_AT, count, OUT_AT);
    return new Int32Array(memory.buffer, OUT_AT, count);
  }
}
