// Reads and writes the protobuf wire format: a field is a key (field number and wire type), followed by a varint, by four
// or eight bytes, or by a length and that many bytes. Model files are prepared before `npm ci` has finished, so no package
// can be used.

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** @param {number} value a non-negative integer of at most 31 bits */
export const varint = (value) => {
  const bytes = [];
  let rest = value;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return Buffer.from([...bytes, rest]);
};

export const intField = (number, value) => Buffer.concat([varint(number << 3), varint(value)]);

export const bytesField = (number, content) => {
  const body = Buffer.from(content);
  return Buffer.concat([varint((number << 3) | BYTES), varint(body.length), body]);
};

export const floatField = (number, value) => {
  const body = Buffer.alloc(4);
  body.writeFloatLE(value);
  return Buffer.concat([varint((number << 3) | FIXED32), body]);
};

export const message = (...fields) => Buffer.concat(fields.flat());

const readVarint = (bytes, start) => {
  let value = 0n;
  let at = start;
  for (let shift = 0n; ; shift += 7n, at += 1) {
    const byte = bytes[at];
    if (byte === undefined || shift > 63n) throw new Error('The file is not a protobuf message.');
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value: Number(BigInt.asIntN(64, value)), end: at + 1 };
  }
};

const readBytes = (bytes, start, length) => ({ value: bytes.subarray(start, start + length), end: start + length });

const readValue = (bytes, start, wire) => {
  switch (wire) {
    case VARINT:
      return readVarint(bytes, start);
    case FIXED64:
      return readBytes(bytes, start, 8);
    case FIXED32:
      return readBytes(bytes, start, 4);
    case BYTES: {
      const length = readVarint(bytes, start);
      return readBytes(bytes, length.end, length.value);
    }
    default:
      throw new Error(`The file is not a protobuf message: wire type ${wire}.`);
  }
};

/**
 * The fields of a message, in order.
 *
 * @param {Buffer} bytes
 * @returns {{number: number, value: number | Buffer, raw: Buffer}[]} `value` is the number of a varint, otherwise the
 * bytes; `raw` is the whole field, with its key
 */
export function readFields(bytes) {
  const fields = [];
  for (let at = 0; at < bytes.length;) {
    const key = readVarint(bytes, at);
    const { value, end } = readValue(bytes, key.end, key.value & 7);
    if (end > bytes.length) throw new Error('The protobuf message ends early.');
    fields.push({ number: key.value >>> 3, value, raw: bytes.subarray(at, end) });
    at = end;
  }
  return fields;
}

/** The numbers of a repeated integer field, which writers may pack into one field. */
export const readIntegers = (fields, number) =>
  fields
    .filter((field) => field.number === number)
    .flatMap(({ value }) => {
      if (typeof value === 'number') return [value];
      const values = [];
      for (let at = 0; at < value.length;) {
        const next = readVarint(value, at);
        values.push(next.value);
        at = next.end;
      }
      return values;
    });
