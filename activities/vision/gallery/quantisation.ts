/** Largest code of a row value: a signed byte. */
const MAX_ROW_CODE = 127;
/**
 * Largest code of a query value: norms are at most √512 times larger, and the product of two norms must fit 32 bits.
 */
const MAX_QUERY_CODE = 8191;

/** A quantised embedding: value ≈ scale × code, with the norm of the rounding error. */
export interface Quantisation {
  scale: number;
  /** Euclidean norm of the difference between the embedding and its quantised form; an upper bound. */
  residue: number;
}

/** Exceeds the rounding error of single precision, so that computed bounds remain valid. */
const ROUNDING = 1e-6;

/** A loop over indexes, because this runs for every face when a gallery is filled. */
function findLargestMagnitude(values: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < values.length; at += 1) {
    const magnitude = Math.abs(values[at] ?? 0);
    if (magnitude > largest) largest = magnitude;
  }
  return largest;
}

function quantise(values: Float32Array, into: Int8Array | Int16Array, maxCode: number): Quantisation {
  const scale = Math.fround(findLargestMagnitude(values) / maxCode) || 1;
  const inverse = 1 / scale;
  let squares = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    // At most maxCode: the largest magnitude is a rounding error from it. Math.round takes three times as long.
    const code = Math.floor(value * inverse + 0.5);
    into[at] = code;
    const error = value - scale * code;
    squares += error * error;
  }
  return { scale, residue: Math.sqrt(squares) * (1 + ROUNDING) + ROUNDING };
}

/**
 * Quantises an embedding to codes of −127 to 127.
 * @param into receives the codes; as long as `values`
 */
export const quantiseRow = (values: Float32Array, into: Int8Array): Quantisation =>
  quantise(values, into, MAX_ROW_CODE);

/** A quantised embedding that rows are compared with. */
export interface QuantisedQuery extends Quantisation {
  codes: Int16Array;
  /** Euclidean norm of the quantised form. */
  length: number;
}

/** Quantises the embedding of a search to codes of −8191 to 8191. */
export function quantiseQuery(values: Float32Array): QuantisedQuery {
  const codes = new Int16Array(values.length);
  const { scale, residue } = quantise(values, codes, MAX_QUERY_CODE);
  return { codes, scale, residue, length: scale * Math.sqrt(codes.reduce((sum, code) => sum + code * code, 0)) };
}

/**
 * Upper bound of the difference between the exact cosine and the product of the quantised forms, by the Cauchy–Schwarz
 * inequality: ⟨q, x⟩ = ⟨q̂, x̂⟩ + ⟨q̂, x − x̂⟩ + ⟨q − q̂, x⟩ ≤ ⟨q̂, x̂⟩ + |q̂| · |x − x̂| + |q − q̂| · |x|.
 *
 * @returns the bound as a function of the row's residue; the norm of a row is 1 ± 0.01
 */
export const createErrorBound = (query: QuantisedQuery) => {
  const queryError = 1.01 * query.residue + ROUNDING;
  return (rowResidue: number): number => query.length * rowResidue + queryError;
};
