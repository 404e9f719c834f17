// The parts of an ONNX file (onnx.proto3) that preparing a model reads and changes. Everything else is kept as it is.
import { bytesField, floatField, intField, message, readFields, readIntegers } from './protobuf.mjs';

/** Element types of tensors. */
export const FLOAT = 1;
const INT64 = 7;

const ATTRIBUTE_TYPES = { float: 1, int: 2, string: 3, ints: 7 };

const text = (fields, number) => fields.find((field) => field.number === number)?.value.toString('utf8') ?? '';

/** @returns {{name: string, type: number, dims: number[], values: Float32Array | Float64Array | number[] | null, raw: Buffer}} */
function readTensor(bytes) {
  const fields = readFields(bytes);
  const dims = readIntegers(fields, 1);
  const [type] = readIntegers(fields, 2);
  const data = fields.find(({ number }) => number === 9)?.value;
  let values = null;
  if (type === FLOAT) {
    // Floats are little-endian in raw_data, or packed in float_data.
    const packed = data ?? Buffer.concat(fields.filter(({ number }) => number === 4).map(({ value }) => value));
    values = Float32Array.from({ length: packed.length / 4 }, (_, index) => packed.readFloatLE(4 * index));
  } else if (type === INT64) {
    values = data
      ? Array.from({ length: data.length / 8 }, (_, index) => Number(data.readBigInt64LE(8 * index)))
      : readIntegers(fields, 7);
  }
  return { name: text(fields, 8), type, dims, values, raw: bytes };
}

/** A tensor message of 32-bit floats. */
export const floatTensor = (name, dims, values) =>
  message(
    dims.map((size) => intField(1, size)),
    intField(2, FLOAT),
    bytesField(8, name),
    bytesField(9, Buffer.from(values.buffer, values.byteOffset, values.byteLength)),
  );

/** A constant list of 64-bit integers, as `readModel` returns it. */
export const integerTensor = (name, values) => {
  const data = Buffer.alloc(8 * values.length);
  values.forEach((value, index) => data.writeBigInt64LE(BigInt(value), 8 * index));
  const raw = message(intField(1, values.length), intField(2, INT64), bytesField(8, name), bytesField(9, data));
  return { name, type: INT64, dims: [values.length], values: [...values], raw };
};

const writeTensor = (name, { type, dims, values, raw }) => {
  if (type === FLOAT) return floatTensor(name, dims, Float32Array.from(values));
  // Another name, otherwise unchanged.
  const kept = readFields(raw).filter(({ number }) => number !== 8);
  return message(...kept.map((field) => field.raw), bytesField(8, name));
};

/** An attribute message: a string, an integer, a list of integers, or `{float}`. */
export const writeAttribute = (name, value) => {
  const write = (...fields) => message(bytesField(1, name), ...fields);
  if (typeof value === 'string') return write(bytesField(4, value), intField(20, ATTRIBUTE_TYPES.string));
  if (typeof value === 'number') return write(intField(3, value), intField(20, ATTRIBUTE_TYPES.int));
  if (Array.isArray(value)) return write(...value.map((each) => intField(8, each)), intField(20, ATTRIBUTE_TYPES.ints));
  return write(floatField(2, value.float), intField(20, ATTRIBUTE_TYPES.float));
};

/** A node message; `attributes` are attribute messages. */
export const writeNode = ({ type, inputs, outputs, attributes = [], rest = [] }) =>
  message(
    inputs.map((name) => bytesField(1, name)),
    outputs.map((name) => bytesField(2, name)),
    bytesField(3, outputs[0]),
    bytesField(4, type),
    attributes.map((each) => bytesField(5, each)),
    rest,
  );

function readNode(bytes) {
  const fields = readFields(bytes);
  const list = (number) => fields.filter((field) => field.number === number).map(({ value }) => value);
  return {
    type: text(fields, 4),
    inputs: list(1).map(String),
    outputs: list(2).map(String),
    attributes: list(5),
    rest: fields.filter(({ number }) => number > 5).map(({ raw }) => raw),
  };
}

const findAttribute = (node, name) => node.attributes.map(readFields).find((fields) => text(fields, 1) === name) ?? [];

/** The integers of an attribute; empty if the node does not have it. */
export const readIntegerAttribute = (node, name) => {
  const fields = findAttribute(node, name);
  return [...readIntegers(fields, 3), ...readIntegers(fields, 8)];
};

/** A description of a graph input or output: 32-bit floats of this shape; a string names a variable size. */
export const writeValueInfo = (name, dims) => {
  const shape = message(
    dims.map((size) => bytesField(1, typeof size === 'string' ? bytesField(2, size) : intField(1, size))),
  );
  return message(bytesField(1, name), bytesField(2, bytesField(1, message(intField(1, FLOAT), bytesField(2, shape)))));
};

/** @param {Buffer} bytes */
const readValueInfo = (bytes) => ({ name: text(readFields(bytes), 1), raw: bytes });

/**
 * Reads an ONNX file. Constant nodes become constants of the graph, like its initialisers.
 *
 * @param {Buffer} bytes
 */
export function readModel(bytes) {
  const fields = readFields(bytes);
  const graph = readFields(fields.find(({ number }) => number === 7).value);
  const list = (number) => graph.filter((field) => field.number === number).map(({ value }) => value);
  const constants = new Map(
    list(5)
      .map(readTensor)
      .map((tensor) => [tensor.name, tensor]),
  );
  const nodes = [];
  for (const node of list(1).map(readNode)) {
    const value =
      node.type === 'Constant' ? findAttribute(node, 'value').find(({ number }) => number === 5) : undefined;
    if (value === undefined) nodes.push(node);
    else constants.set(node.outputs[0], readTensor(value.value));
  }
  return {
    nodes,
    constants,
    inputs: list(11).map(readValueInfo),
    outputs: list(12).map(readValueInfo),
    name: text(graph, 2),
    /** the fields of the file other than its graph: versions, operator sets, producer */
    header: fields.filter(({ number }) => number !== 7).map(({ raw }) => raw),
  };
}

/** Writes an ONNX file; constants that no node uses are left out. */
export function writeModel({ nodes, constants, inputs, outputs, name, header }) {
  const used = new Set(nodes.flatMap((node) => node.inputs));
  const tensors = [...constants].filter(([key]) => used.has(key)).map(([key, tensor]) => writeTensor(key, tensor));
  const graph = message(
    nodes.map((node) => bytesField(1, writeNode(node))),
    bytesField(2, name),
    tensors.map((each) => bytesField(5, each)),
    // Older versions of the format also list the initialisers as inputs.
    inputs.filter((input) => !constants.has(input.name)).map(({ raw }) => bytesField(11, raw)),
    outputs.map(({ raw }) => bytesField(12, raw)),
  );
  return message(header, bytesField(7, graph));
}
