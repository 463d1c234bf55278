import { isRecord, type UnknownRecord } from "@mdx-ai/base";

/** The fields of a body, such as `reasoning`, and those within them, such as `reasoning.summary`. */
export const pathsIn = (body: UnknownRecord): readonly string[] =>
  Object.entries(body).flatMap(([name, value]) => [
    name,
    ...(isRecord(value) ? Object.keys(value).map((inner) => `${name}.${inner}`) : []),
  ]);

/** Fields that stand in lists, below the top of a body; a server may not know them either. */
export const innerFields: readonly string[] = ["cache_control", "strict"];

/** Whether a field within a list of a body is set. */
export const hasInner = (body: UnknownRecord, name: string): boolean => JSON.stringify(body).includes(`"${name}":`);

/** Fields without the one at a path; a field that would be empty without it goes, too. */
export function withoutPath(fields: UnknownRecord, path: string): UnknownRecord {
  const [name = "", inner] = path.split(".");
  const { [name]: value, ...rest } = fields;
  if (value === undefined) return fields;
  if (inner === undefined || !isRecord(value)) return rest;
  const { [inner]: _, ...kept } = value;
  return Object.keys(kept).length === 0 ? rest : { ...fields, [name]: kept };
}

/** What belongs to tools and their calls, where any name may occur. */
const OPAQUE: readonly string[] = ["parameters", "input_schema", "input", "arguments"];

/** A value without a field, wherever it is but in what belongs to tools. */
function withoutInner(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutInner(item, name));
  return isRecord(value) ? fieldsWithoutInner(value, name) : value;
}

/** The same for fields. */
export const fieldsWithoutInner = (fields: UnknownRecord, name: string): UnknownRecord =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) =>
      key === name ? [] : [[key, OPAQUE.includes(key) ? value : withoutInner(value, name)]],
    ),
  );

/** Fields with another name for one of them, at the same place: a body keeps its order. */
export const withName = (fields: UnknownRecord, name: string, other: string): UnknownRecord =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key === name ? other : key, value]));
