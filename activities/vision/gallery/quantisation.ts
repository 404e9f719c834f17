/** Largest code of a row's value: a signed byte. */
const MAX_ROW_CODE = 127;
/** Largest code of a query's value: norms are at most √512 times it, and their product must fit 32 bits. */
const MAX_QUERY_CODE = 8191;

/** An embedding in few bits: value ≈ scale × code, with the length of what was rounded away. */
export interface Quantisation {
  scale: number;
  /** Euclidean length of the difference between the embedding and its coded form; never understated */
  residue: number;
}

/** Above what single precision may round away, so that a bound never lies below what it bounds. */
const ROUNDING = 1e-6;

const findLargestMagnitude = (values: Float32Array): number =>
  values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);

function quantise(values: Float32Array, into: Int8Array | Int16Array, maxCode: number): Quantisation {
  const scale = Math.fround(findLargestMagnitude(values) / maxCode) || 1;
  let squares = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    const code = Math.max(-maxCode, Math.min(maxCode, Math.round(value / scale)));
    into[at] = code;
    squares += (value - scale * code) ** 2;
  }
  return { scale, residue: Math.sqrt(squares) * (1 + ROUNDING) + ROUNDING };
}

export const quantiseRow = (values: Float32Array, into: Int8Array): Quantisation =>
  quantise(values, into, MAX_ROW_CODE);

export interface QuantisedQuery extends Quantisation {
  codes: Int16Array;
  /** length of the coded form */
  length: number;
}

export function quantiseQuery(values: Float32Array): QuantisedQuery {
  const codes = new Int16Array(values.length);
  const { scale, residue } = quantise(values, codes, MAX_QUERY_CODE);
  return { codes, scale, residue, length: scale * Math.sqrt(codes.reduce((sum, code) => sum + code * code, 0)) };
}

/**
 * What is added to the product of coded forms so that it is at least the cosine: by Cauchy and Schwarz
 * ⟨q, x⟩ = ⟨q̂, x̂⟩ + ⟨q̂, x − x̂⟩ + ⟨q − q̂, x⟩ ≤ ⟨q̂, x̂⟩ + |q̂| · |x − x̂| + |q − q̂| · |x|.
 *
 * @returns by the row's residue; the row is of unit length, a hundredth more or less
 */
export const createErrorBound = (query: QuantisedQuery) => {
  const queryError = 1.01 * query.residue + ROUNDING;
  return (rowResidue: number): number => query.length * rowResidue + queryError;
};
