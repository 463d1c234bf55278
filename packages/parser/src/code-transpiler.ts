import type { CodeLoader } from "./code-loader.ts";

/** Unless told so, Bun calls what is imported `with { type: "macro" }` while it reads. Its types leave the `false` out. */
const WITHOUT_MACROS: object = { macro: false };

/** Reads code that is not to be run: neither is anything of it, macros included, nor of what it imports. */
export const codeTranspiler = (loader: CodeLoader): Bun.Transpiler => new Bun.Transpiler({ loader, ...WITHOUT_MACROS });
