/** Largest code of a row's value: a signed byte. */
const ROW_CODES = 127;
/** Largest code of a query's value: norms are at most √512 times it, and their product must fit 32 bits. */
const QUERY_CODES = 8191;

/** An embedding in few bits: value ≈ scale × code, with the length of what was rounded away. */
export interface Coded {
  scale: number;
  /** Euclidean length of the difference between the embedding and its coded form; never understated */
  residue: number;
}

/** Above what single precision may round away, so that a bound never lies below what it bounds. */
const ROUNDING = 1e-6;

const largestOf = (values: Float32Array): number =>
  values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

function encode(values: Float32Array, into: Int8Array | Int16Array, largestCode: number): Coded {
  const scale = Math.fround(largestOf(values) / largestCode) || 1;
  let squares = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    const code = Math.max(-largestCode, Math.min(largestCode, Math.round(value / scale)));
    into[at] = code;
    squares += (value - scale * code) ** 2;
  }
  return { scale, residue: Math.sqrt(squares) * (1 + ROUNDING) + ROUNDING };
}

export const encodeRow = (values: Float32Array, into: Int8Array): Coded => encode(values, into, ROW_CODES);

export interface CodedQuery extends Coded {
  codes: Int16Array;
  /** length of the coded form */
  length: number;
}

export function encodeQuery(values: Float32Array): CodedQuery {
  const codes = new Int16Array(values.length);
  const { scale, residue } = encode(values, codes, QUERY_CODES);
  return { codes, scale, residue, length: scale * Math.sqrt(codes.reduce((sum, code) => sum + code * code, 0)) };
}

/**
 * What is added to the product of coded forms so that it is at least the cosine: by Cauchy and Schwarz
 * ⟨q, x⟩ = ⟨q̂, x̂⟩ + ⟨q̂, x − x̂⟩ + ⟨q − q̂, x⟩ ≤ ⟨q̂, x̂⟩ + |q̂| · |x − x̂| + |q − q̂| · |x|.
 *
 * @returns by the row's residue; the row is of unit length, a hundredth more or less
 */
export const slackOf = (query: CodedQuery) => {
  const own = 1.01 * query.residue + ROUNDING;
  return (rowResidue: number): number => query.length * rowResidue + own;
};
