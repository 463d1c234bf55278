import { isRecord, type JsonObject } from "@mdx-ai/base";
import type { SkillEntrypoint } from "../../types/skill-definition.ts";

/** Why an entrypoint can never work. */
export interface EntrypointMistake {
  readonly kind: "mistake";
  /** A line without a full stop. */
  readonly message: string;
  readonly hint: string;
  /** In the target of the entrypoint, in UTF-16 code units. */
  readonly index: number;
}

/** A file that a tool needs and that its skill's folder may lack. */
export interface NeededFile {
  /** Relative to the folder of the skill; one of them is enough. */
  readonly paths: readonly string[];
  /** What is wrong without it. A line without a full stop. */
  readonly message: string;
  readonly hint: string;
}

/** What is known of the entrypoints with a scheme without running one. */
export interface EntrypointScheme {
  /** The keys of the skill's frontmatter that its entrypoints use. */
  readonly settings?: readonly string[];
  /** Reads the target; the mistake says why no call can work. `names` are those of the arguments. Never throws. */
  read(entrypoint: SkillEntrypoint, names: readonly string[]): { readonly kind: string } | EntrypointMistake;
  /** The file that a call needs, as far as the text shows. */
  neededFile?(entrypoint: SkillEntrypoint): NeededFile | undefined;
}

export const mistake = (message: string, hint: string, index = 0): EntrypointMistake => ({
  kind: "mistake",
  message,
  hint,
  index,
});

/** A placeholder that names no property of the schema. */
export const unknownPlaceholder = (name: string, index: number): EntrypointMistake =>
  mistake(
    `the placeholder {${name}} names no property of the tool's schema`,
    `add the property \`${name}\` to the schema, or write \`{{${name}}}\` for text in braces`,
    index,
  );

/** The properties of a tool's schema: the names of its arguments. */
export const propertyNames = ({ properties }: JsonObject): readonly string[] =>
  isRecord(properties) ? Object.keys(properties) : [];
