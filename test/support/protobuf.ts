/** A field of a message: its type is a plain value, or the name of another message. */
export interface ProtobufField {
  readonly name: string;
  readonly type: string;
  readonly isRepeated?: boolean;
}

/** Messages by name; their fields by number. */
export type ProtobufSchema = Readonly<Record<string, Readonly<Record<number, ProtobufField>>>>;

type Fields = Record<string, unknown>;

/**
 * Reads a message of protocol buffers into the object that their JSON would give: 64-bit numbers as text, bytes as
 * hexadecimal text. Throws on a field that the schema does not have, so that nothing is overlooked.
 */
export function readProtobuf(bytes: Uint8Array, message: string, schema: ProtobufSchema): Fields {
  const fields: Fields = {};
  const reader = new Reader(bytes);
  while (!reader.isDone) {
    const key = Number(reader.varint());
    const field = schema[message]?.[key >>> 3];
    if (field === undefined) throw new Error(`${message} has a field ${key >>> 3}`);
    const values = readField(reader, { field, wire: key & 7, schema });
    if (field.isRepeated) fields[field.name] = [listAt(fields, field.name), values].flat();
    else fields[field.name] = values[0];
  }
  return fields;
}

function listAt(fields: Fields, name: string): readonly unknown[] {
  const list = fields[name];
  return Array.isArray(list) ? list : [];
}

interface FieldPosition {
  readonly field: ProtobufField;
  readonly wire: number;
  readonly schema: ProtobufSchema;
}

function readField(reader: Reader, { field, wire, schema }: FieldPosition): readonly unknown[] {
  if (wire !== 2) return [reader.scalar(field.type)];
  const bytes = reader.bytes(Number(reader.varint()));
  switch (field.type) {
    case "string":
      return [new TextDecoder("utf-8", { fatal: true }).decode(bytes)];
    case "bytes":
      return [bytes.toHex()];
    case "double":
    case "fixed64":
      return new Reader(bytes).scalars(field.type);
    default:
      return [readProtobuf(bytes, field.type, schema)];
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #position = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isDone(): boolean {
    return this.#position >= this.#bytes.length;
  }

  varint(): bigint {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.#view.getUint8(this.#position++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  }

  bytes(length: number): Uint8Array {
    if (this.#position + length > this.#bytes.length) throw new RangeError("a field is cut off");
    this.#position += length;
    return this.#bytes.subarray(this.#position - length, this.#position);
  }

  scalar(type: string): unknown {
    switch (type) {
      case "fixed64":
        return this.#view.getBigUint64(this.#advance(8), true).toString();
      case "fixed32":
        return this.#view.getUint32(this.#advance(4), true);
      case "double":
        return this.#view.getFloat64(this.#advance(8), true);
      case "bool":
        return this.varint() === 1n;
      case "int64":
        return BigInt.asIntN(64, this.varint()).toString();
      default:
        return Number(this.varint());
    }
  }

  /** All that is left, packed. */
  scalars(type: string): readonly unknown[] {
    const values: unknown[] = [];
    while (!this.isDone) values.push(this.scalar(type));
    return values;
  }

  #advance(length: number): number {
    this.#position += length;
    return this.#position - length;
  }
}
