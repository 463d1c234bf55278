import { join } from "node:path";
import { BUILTIN_TOOLS, builtinTools } from "../packages/tools/src/builtin-tools.ts";

/** The file of the parser that holds the facts. */
export const BUILTIN_FACTS_FILE: string = join(import.meta.dir, "../packages/parser/src/builtin-facts.ts");

/** The content of that file: what each builtin tool says of itself, by its group. */
export function builtinFactsFile(): string {
  const tools = builtinTools({ environment: {}, webSearch: { url: "" } }, BUILTIN_TOOLS);
  const groups = Map.groupBy(tools, ({ listing }) => listing.group);
  const lists = [...groups].map(([group, members]) => {
    const lines = members.map(({ name, effects, listing: { group: _, ...facts } }) =>
      line({ name, ...(effects && { effects }), ...facts }),
    );
    return `/** What is known of the builtin tools of the group \`${group}\` where their code is not. */
export const ${group} = [
${lines.join("")}] as const;
`;
  });
  return `// Written by \`npm run builtin-tools\` from the builtin tools.\n\n${lists.join("\n")}`;
}

/** Columns, as the formatter has them. */
const WIDTH = 120;

function line(facts: object): string {
  const fields = Object.entries(facts).map(
    ([name, value]) => `${name}: ${JSON.stringify(value).replaceAll(",", ", ")}`,
  );
  const short = `  { ${fields.join(", ")} },`;
  if (short.length <= WIDTH) return `${short}\n`;
  return `  {\n${fields.map((field) => `    ${field},\n`).join("")}  },\n`;
}
