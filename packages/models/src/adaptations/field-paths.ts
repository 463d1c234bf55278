import { isRecord, type UnknownRecord } from "@mdx-ai/base";

/** The paths of a body's fields, such as `reasoning` and `reasoning.summary`. */
export const pathsIn = (body: UnknownRecord): readonly string[] =>
  Object.entries(body).flatMap(([name, value]) => [
    name,
    ...(isRecord(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : []),
  ]);

/** Fields within lists of a body, which a server may not support. */
export const innerFields: readonly string[] = ["cache_control", "strict"];

/** Whether a field within a list of a body is set. */
export const hasInner = (body: UnknownRecord, name: string): boolean => JSON.stringify(body).includes(`"${name}":`);

/** Removes the field at a path, and a parent that becomes empty. */
export function withoutPath(fields: UnknownRecord, path: string): UnknownRecord {
  const [name = "", inner] = path.split(".");
  const { [name]: value, ...rest } = fields;
  if (value === undefined) return fields;
  if (inner === undefined || !isRecord(value)) return rest;
  const { [inner]: _, ...kept } = value;
  return Object.keys(kept).length === 0 ? rest : { ...fields, [name]: kept };
}

/** Fields of tools and calls, which may contain any name. */
const OPAQUE: readonly string[] = ["parameters", "input_schema", "input", "arguments"];

/** Removes a field at any depth, except within tools and calls. */
function withoutInner(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutInner(item, name));
  return isRecord(value) ? fieldsWithoutInner(value, name) : value;
}

/** As `withoutInner`, for the fields of a body. */
export const fieldsWithoutInner = (fields: UnknownRecord, name: string): UnknownRecord =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      key === name ? [] : [[key, OPAQUE.includes(key) ? value : withoutInner(value, name)]],
    ),
  );

/** Renames a field and keeps its position. */
export const withName = (fields: UnknownRecord, name: string, other: string): UnknownRecord =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key === name ? other : key, value]));
