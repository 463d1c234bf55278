import { isRecord } from "@mdx-ai/base";
import { referenced } from "@mdx-ai/parser";

type Schema = Readonly<Record<string, unknown>>;

/** Schemas that may all say something of one value, and the whole schema that their references point into. */
export interface Views {
  readonly root: unknown;
  readonly schemas: readonly Schema[];
}

/** What a schema says of the value itself, also through references, conditions and alternatives. */
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

/** The names that an object may have; undefined if it may have any, as where a schema mentions none. */
export function namesIn({ schemas }: Views): readonly string[] | undefined {
  const names = schemas.flatMap(({ properties }) => (isRecord(properties) ? Object.keys(properties) : []));
  const isSilent = names.length === 0 && !schemas.some((schema) => schema["additionalProperties"] === false);
  return isSilent || schemas.some(isOpen) ? undefined : [...new Set(names)];
}

/** Whether a schema says that names beside its properties are fine. One that is silent does not say so. */
const isOpen = (schema: Schema): boolean =>
  ["additionalProperties", "unevaluatedProperties"].some((key) => schema[key] === true || isRecord(schema[key])) ||
  (isRecord(schema["patternProperties"]) && Object.keys(schema["patternProperties"]).length > 0);

/** The names that an object must have. */
export const requiredIn = ({ schemas }: Views): readonly string[] => [
  ...new Set(schemas.flatMap(({ required }) => (Array.isArray(required) ? required.map(String) : []))),
];

/** What is said of a member of an object. */
export function memberViews({ schemas, root }: Views, name: string): Views {
  const members = schemas.flatMap(({ properties }) =>
    isRecord(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
  return viewsOf(members, root);
}

/** What is said of the items of a list, each like the others. */
export const itemViews = ({ schemas, root }: Views): Views =>
  viewsOf(
    schemas.map(({ items }) => items),
    root,
  );
