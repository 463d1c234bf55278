import { dataLayout } from "@mdx-ai/base";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import { counted, grouped } from "@mdx-ai/directory/views/figures";
import { costText } from "@mdx-ai/directory/views/prompt-lines";
import type { Cost } from "@mdx-ai/loop";
import { inputTokens } from "@mdx-ai/models";
import { type UsageReport, type UsageShare, usageReport } from "@mdx-ai/sessions";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { agentData } from "../arguments/run-options.ts";
import { sinceOption } from "../arguments/since-option.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { cutEnd } from "../output/line-layout.ts";

/** `mdx-ai usage`: shows what an agent has spent. Runs no code of the directory. */
export async function runUsage(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [directory = "."] = args.positionals;
  const dataDirectory = agentData(directory, { args, isWriting: false }, context);
  const report = usageReport(dataLayout(dataDirectory).usage, sinceOption(args, Date.now()) ?? 0);
  const text = args.switches.has("json") ? `${jsonText(record(report), 2)}\n` : reportText(report);
  context.stdout.write(context.keys.text(text));
  return EXIT_CODE.done;
}

function record({ total, days, sessions, tasks, models, agents }: UsageReport) {
  const all = (shares: readonly UsageShare[]) => shares.map(({ name, cost }) => ({ name, ...amounts(cost) }));
  const parts = { days: all(days), sessions: all(sessions), tasks: all(tasks), models: all(models) };
  return { total: amounts(total), ...parts, agents: all(agents) };
}

const amounts = ({ usage, usd, unpriced, calls }: Cost) => ({
  ...{ calls, tokens: usage.total, input: inputTokens(usage), cached: usage.cacheRead, output: usage.output },
  ...{ usd, unpriced },
});

/** The most rows of a table. */
const MAX_ROWS = 20;

function reportText({ total, days, sessions, tasks, models, agents }: UsageReport): string {
  if (total.calls === 0) return "Nothing was spent.\n";
  const tables = [
    table("Days", days),
    table("Sessions", sessions),
    table("Tasks of the heartbeat", tasks),
    table("Models", models),
    table("Agents that worked for it", agents),
  ];
  return [`Total: ${line(total).join(", ")}`, "", ...tables.flat()].join("\n");
}

function table(title: string, shares: readonly UsageShare[]): readonly string[] {
  if (shares.length === 0) return [];
  const rows = shares.slice(0, MAX_ROWS).map(({ name, cost }) => [cutEnd(plainLine(name), 40), ...line(cost)]);
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => Bun.stringWidth(row[column] ?? ""))));
  const texts = rows.map(([name = "", usd = "", tokens = "", answers = ""]) => {
    const [first = 0, second = 0, third = 0] = widths;
    const blanks = " ".repeat(first - Bun.stringWidth(name));
    return `  ${name}${blanks}  ${usd.padStart(second)}  ${tokens.padStart(third)}  ${answers}`;
  });
  const more = shares.length - rows.length;
  return [title, ...texts, ...(more > 0 ? [`  and ${grouped(more)} more (--json shows all)`] : []), ""];
}

const line = ({ usage, usd, unpriced, calls }: Cost): readonly string[] => [
  costText(usd, unpriced),
  counted(usage.total, "token"),
  counted(calls, "answer"),
];
