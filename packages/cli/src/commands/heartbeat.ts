import { didYouMean } from "@mdx-ai/base";
import { readDirectory } from "@mdx-ai/directory";
import { jsonText } from "@mdx-ai/directory/text";
import { type HeartbeatReport, hasProblem, heartbeatReport, LineFileStore } from "@mdx-ai/runtime/heartbeat";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { type CommandAction, calledAction } from "../arguments/parse-arguments.ts";
import { agentData } from "../arguments/run-options.ts";
import { sinceOption } from "../arguments/since-option.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import type { HeartbeatRun } from "../heartbeat/heartbeat-run.ts";
import { reportText } from "../heartbeat/report-text.ts";

const RUN_OPTIONS = ["model", "config", "temp", "max-tokens", "thinking", "effort", "no-stream", "retries", "timeout", "no-offline", "allow", "deny", "allow-all", "mode", "sandbox", "workspace", "here", "cwd", "mcp-config", "skills-dir", "trust", "env-file"]; // biome-ignore format: short

const ACTIONS: ReadonlyMap<string, CommandAction<HeartbeatRun>> = new Map<string, CommandAction<HeartbeatRun>>([
  ["show", { words: [], options: ["json", "since", "skills-dir", "env-file"], run: show }],
  ["run", { words: ["TASK"], options: ["json", ...RUN_OPTIONS], run: runNow }],
  ["pause", { words: [], options: [], run: (run) => mark(run, "paused") }],
  ["resume", { words: [], options: [], run: (run) => mark(run, "resumed") }],
]);

/** `mdx-ai heartbeat`: shows, runs, pauses or resumes the heartbeat of an agent. Only `run` runs code of the directory. */
export async function runHeartbeat(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [directory = ".", name = "show", ...words] = args.positionals;
  const action = calledAction(ACTIONS, { command: "heartbeat", name, words, args });
  const dataDirectory = agentData(directory, { args, isWriting: name !== "show" }, context);
  const { definition } = await readDirectory(directory, context);
  const exitCode = await action.run({ definition, dataDirectory, words, args, context });
  return context.interruption.exitCode ?? exitCode ?? EXIT_CODE.done;
}

async function show({ definition, dataDirectory, args, context }: HeartbeatRun): Promise<number> {
  const now = Date.now();
  const since = sinceOption(args, now) ?? now - WEEK;
  const report = reportOf({ definition, dataDirectory }, { now, since });
  const { tasks, runs, isPaused } = report;
  const json = { tasks, runs, ...(isPaused && { paused: true }) };
  const text = args.switches.has("json") ? `${jsonText(json, 2)}\n` : reportText(report, now);
  context.stdout.write(context.keys.text(text));
  return hasProblem(report) ? EXIT_CODE.failed : EXIT_CODE.done;
}

function reportOf(
  { definition, dataDirectory }: Pick<HeartbeatRun, "definition" | "dataDirectory">,
  moment: Parameters<typeof heartbeatReport>[2],
): HeartbeatReport {
  const { heartbeat, settings, modules } = definition;
  return heartbeatReport({ definition: heartbeat, settings, modules }, new LineFileStore(dataDirectory).take(), moment);
}

const WEEK = 7 * 86_400_000;

async function mark({ dataDirectory, context }: HeartbeatRun, type: "paused" | "resumed"): Promise<void> {
  await new LineFileStore(dataDirectory).appendBeside([{ type, at: new Date().toISOString() }]);
  context.stdout.write(type === "paused" ? "Paused: no task runs until it is resumed.\n" : "Resumed.\n");
}

async function runNow(run: HeartbeatRun): Promise<number> {
  const { definition, dataDirectory, words } = run;
  const now = Date.now();
  const names = reportOf({ definition, dataDirectory }, { now, since: now }).tasks.map(({ name }) => name);
  const [asked = ""] = words;
  const task = names.find((name) => name === asked) ?? names.find((name) => name.toLowerCase() === asked.toLowerCase());
  if (task === undefined) {
    const all = names.length === 0 ? "the heartbeat has no task" : `available: ${names.join(", ")}`;
    throw new UsageError(`there is no task ${JSON.stringify(asked)}; ${didYouMean(asked, names, all)}`);
  }
  const { runTask } = await import("../heartbeat/run-task.ts");
  return runTask(task, run);
}
