import type { Power } from "@mdx-ai/directory/installing";
import { dollars } from "@mdx-ai/directory/views/figures";
import type { AgentDirectory } from "@mdx-ai/parser";
import { type DailyWakes, dailyWakes } from "../checking/heartbeat-check.ts";
import type { CommandContext } from "../command-context.ts";

/** What an agent may do, with what its schedule costs. Plain JSON. */
export interface CostedPower extends Power {
  /** Absent without a schedule. */
  readonly wakes?: DailyWakes;
}

/** Adds the cost of a schedule, with the model that its user has now. */
export async function costedPower(
  power: Power,
  { definition }: AgentDirectory,
  context: CommandContext,
): Promise<CostedPower> {
  const wakes = await dailyWakes(definition, context, Date.now());
  return wakes === undefined ? power : { ...power, wakes };
}

/** The screen of power: one line for each kind of thing that the agent has, and one that names the kinds that it has not. */
export function powerLines(power: CostedPower): readonly string[] {
  const rows = ROWS.map(([title, textsOf]): readonly [string, readonly string[]] => [title, textsOf(power)]);
  const given = rows.flatMap(([title, texts]) => rowLines(title, texts));
  const none = rows.flatMap(([title, texts]) => (texts.length === 0 ? [title] : []));
  return [...given, ...(none.length === 0 ? [] : [`none of: ${none.join(", ")}`])];
}

type Row = readonly [title: string, textsOf: (power: CostedPower) => readonly string[]];

const ROWS: readonly Row[] = [
  ["tools", ({ tools }) => tools.map(toolText)],
  ["builtin tools", ({ builtins }) => builtins],
  ["hosts", ({ hosts }) => hosts],
  ["variables", ({ env }) => env],
  ["keys for hosts", ({ credentials }) => credentials],
  ["files outside", ({ files }) => files],
  ["MCP servers", ({ mcp }) => mcp.map(({ name, runs }) => `${name}: ${runs}`)],
  ["commands", ({ commands }) => commands],
  ["schedule", ({ schedules, wakes }) => [...schedules, ...(wakes === undefined ? [] : [wakesText(wakes)])]],
  ["models", ({ models }) => models],
  ["limits", ({ limits }) => limits],
  ["packages", ({ packages }) => packages],
  ["modules", ({ modules }) => modules.map(sizeText)],
  ["other code", ({ code }) => code.map(sizeText)],
  ["data files", ({ data }) => data.map(sizeText)],
  ["agents", ({ agents }) => agents],
  ["runs unasked", ({ unasked }) => unasked],
  ["settings", ({ other }) => other],
];

const TITLE_WIDTH = 15;

/** Kinds with few short items are on one line; all others have a line each, so that nothing is hidden at the end of a long one. */
function rowLines(title: string, texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const line = texts.join(", ");
  const rows = line.length <= 80 ? [line] : texts;
  return rows.map((text, index) => `${(index === 0 ? title : "").padEnd(TITLE_WIDTH)}${text}`);
}

const toolText = ({ name, lines, bytes, permission = "allow" }: Power["tools"][number]): string => {
  const size = lines === undefined ? "" : ` (${lines} ${lines === 1 ? "line" : "lines"}, ${bytes} bytes)`;
  return `${name}${size}${permission === "allow" ? "" : `, ${permission}`}`;
};

const sizeText = ({ file, bytes }: Power["code"][number]): string => `${file} (${bytes} bytes)`;

function wakesText({ perDay, usdPerDay, model }: DailyWakes): string {
  const often = `about ${perDay} wakes a day`;
  if (usdPerDay === undefined) return `${often}, at a cost that depends on the model`;
  return `${often}, at least ${dollars(usdPerDay)} a day with ${model} if nothing is to be done`;
}
