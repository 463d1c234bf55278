import { vendors } from "../../packages/models/src/vendors/vendors.ts";

const HEAD = "| vendor | key | address | default model | names |";

/** A page with its table of vendors as they are in the source. Throws if it has no such table. */
export function withVendors(page: string): string {
  const lines = page.split("\n");
  const start = lines.indexOf(HEAD);
  if (start < 0) throw new Error(`There is no table "${HEAD}".`);
  const rest = lines.slice(start).findIndex((line) => !line.startsWith("|"));
  return [...lines.slice(0, start), HEAD, "|---|---|---|---|---|", ...ROWS, ...lines.slice(start + rest)].join("\n");
}

const ROWS = vendors.map(({ name, keyVariables, urlVariable, model, prefixes }) =>
  ["", ...[[name], keyVariables, [urlVariable], [model], prefixes].map(cellOf), ""].join("|"),
);

function cellOf(names: readonly string[]): string {
  const codes = names.filter((name) => name !== "").map((name) => `\`${name}\``);
  return codes.length === 0 ? " " : ` ${codes.join(", ")} `;
}
