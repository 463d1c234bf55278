/** Why an entrypoint can never work. */
export interface EntrypointMistake {
  readonly kind: "mistake";
  /** A line without a full stop. */
  readonly message: string;
  readonly hint: string;
  /** In the target of the entrypoint, in UTF-16 code units. */
  readonly index: number;
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
