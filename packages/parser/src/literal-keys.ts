import { findKeys } from "@mdx-ai/base";
import type { Problem } from "./report.ts";

/** The keys that are written in a file, where everyone sees them who gets a copy. */
export const literalKeys = (text: string): readonly Problem[] =>
  findKeys(text).map(({ kind, index }) => ({
    rule: "literal-key",
    offset: index,
    message: `this looks like ${/^[AEIO]/i.test(kind) ? "an" : "a"} ${kind}, which a copy of the directory gives away`,
    hint: 'revoke it, and read a new one from a variable: `env="NAME"` of the `<Tool>`, or `$' + "{NAME}` in settings",
  }));
