import { isRecord } from "@mdx-ai/base";
import { referenced } from "@mdx-ai/parser";

type Schema = Readonly<Record<string, unknown>>;

/** The schemas that apply to one value, and the whole schema for their references. */
export interface Views {
  readonly root: unknown;
  readonly schemas: readonly Schema[];
}

/** The schemas that apply to the value, including references, conditions and alternatives. */
export function viewsOf(schemas: readonly unknown[], root: unknown): Views {
  const seen = new Set<Schema>();
  const visit = (schema: unknown): void => {
    if (!isRecord(schema) || seen.has(schema)) return;
    seen.add(schema);
    const { $ref, allOf, anyOf, oneOf, dependentSchemas } = schema;
    if (typeof $ref === "string") visit(referenced(root, $ref));
    const lists = [allOf, anyOf, oneOf].filter((list) => Array.isArray(list));
    for (const part of [...lists.flat(), schema["then"], schema["else"]]) visit(part);
    if (isRecord(dependentSchemas)) for (const part of Object.values(dependentSchemas)) visit(part);
  };
  for (const schema of schemas) visit(schema);
  return { root, schemas: [...seen] };
}

/** The names that an object may have; undefined if any name is allowed, as when a schema lists none. */
export function namesIn({ schemas }: Views): readonly string[] | undefined {
  const names = schemas.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : []));
  const isSilent = names.length === 0 && !schemas.some((schema) => schema["additionalProperties"] === false);
  return isSilent || schemas.some(isOpen) ? undefined : [...new Set(names)];
}

/** Whether a schema explicitly allows names beside its properties. */
const isOpen = (schema: Schema): boolean =>
  ["additionalProperties", "unevaluatedProperties"].some((key) => schema[key] === true || isRecord(schema[key])) ||
  (isRecord(schema["patternProperties"]) && Object.keys(schema["patternProperties"]).length > 0);

/** The required names of an object. */
export const requiredIn = ({ schemas }: Views): readonly string[] => [
  ...new Set(schemas.flatMap(({ required }) => (Array.isArray(required) ? required.map(String) : []))),
];

/** The schemas of a member of an object. */
export function memberViews({ schemas, root }: Views, name: string): Views {
  const members = schemas.flatMap(({ properties }) =>
    isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
  return viewsOf(members, root);
}

/** The schemas that apply to all items of a list. */
export const itemViews = ({ schemas, root }: Views): Views =>
  viewsOf(
    schemas.map(({ items }) => items),
    root,
  );
