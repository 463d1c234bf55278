import { join } from "node:path";
import { type OpenDirectory, type OpenDirectoryOptions, openDirectory } from "@mdx-ai/directory";
import { type AgentEvent, contentText } from "@mdx-ai/loop";
import type { AssistantMessage, LanguageModel, Message, ModelRequest } from "@mdx-ai/models";
import { writeFiles } from "./agent-files.ts";
import { type NotedFrontEnd, surroundingsIn } from "./front-end.ts";
import { assistantMessage } from "./model-request.ts";
import { cliCommand } from "./run-cli.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** An answer: a text, or the calls of tools by name. */
export type Said = string | Readonly<Record<string, unknown>>;

/** What each agent answers, by its name: a function of the request, or the answers in order, the last one for all later requests. */
export type Parts = Readonly<
  Record<string, readonly Said[] | ((request: ModelRequest, signal: AbortSignal) => Promise<Said> | Said)>
>;

/** The tokens that each request costs. */
const INPUT = 100;
const OUTPUT = 10;

/** A model for all agents of a team: it knows by the system prompt who asks. A call of an agent is `{NAME: PROMPT}`. */
export function teamModel(parts: Parts): LanguageModel & { readonly requests: readonly ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    ...{ provider: "test", name: "team", requests },
    async *stream(request, signal) {
      requests.push({ ...request, messages: [...request.messages] });
      const message = await answer(request, { parts, signal, number: requests.length });
      yield { type: "start", partial: message };
      if (message.stopReason === "aborted") yield { type: "error", message, error: new Error("aborted") };
      else yield { type: "done", message };
    },
  };
}

interface Asked {
  readonly parts: Parts;
  readonly signal: AbortSignal;
  readonly number: number;
}

async function answer(request: ModelRequest, { parts, signal, number }: Asked): Promise<AssistantMessage> {
  const name = Object.keys(parts).find(
    (one) => request.system.includes(`Agent: ${one}\n`) || request.system.includes(`You are ${one}.`),
  );
  const part = parts[name ?? ""];
  if (part === undefined) throw new Error(`nobody answers for ${request.system.slice(0, 80)}`);
  const turns = request.messages.filter(({ role }) => role === "assistant").length;
  const said = typeof part === "function" ? await part(request, signal) : (part[turns] ?? part.at(-1) ?? "");
  const usage = { input: INPUT, output: OUTPUT, cacheRead: 0, cacheWrite: 0, thinking: 0, total: INPUT + OUTPUT };
  const about = { provider: "test", model: "team", usage };
  if (signal.aborted) return assistantMessage([], { ...about, stopReason: "aborted", errorMessage: "aborted" });
  if (typeof said === "string") return assistantMessage([{ type: "text", text: said }], about);
  const calls = Object.entries(said).flatMap(([tool, given], call) =>
    [given].flat().map((args, index) => ({
      ...{ type: "toolCall" as const, id: `call-${number}-${call}-${index}`, name: tool },
      arguments: typeof args === "string" ? { prompt: args } : JSON.parse(JSON.stringify(args)),
    })),
  );
  return assistantMessage(calls, { ...about, stopReason: "toolUse" });
}

export const toolTexts = (messages: readonly Message[]): readonly string[] =>
  messages.flatMap((message) => (message.role === "toolResult" ? [contentText(message.content)] : []));

/** A folder with agents, of which one leads. */
export interface Team extends Disposable {
  /** The directory of the agent that leads. */
  readonly path: string;
  readonly folder: string;
  readonly frontEnd: NotedFrontEnd;
  open(model: LanguageModel, options?: Partial<OpenDirectoryOptions>): Promise<OpenDirectory>;
}

/** A folder with agents, by their files, and their opening. */
export function team(files: Readonly<Record<string, string>>): Team {
  const folder = temporaryDirectory();
  writeFiles(folder.path, files);
  const frontEnd = { ...surroundingsIn(folder.path), toolHostCommand: cliCommand(["__tool-host"]) };
  const open = (model: LanguageModel, options: Partial<OpenDirectoryOptions> = {}): Promise<OpenDirectory> =>
    openDirectory("lead", { frontEnd, model, ...options, run: { isTrusted: true, ...options.run } });
  return {
    path: join(folder.path, "lead"),
    folder: folder.path,
    frontEnd,
    open,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Runs a prompt to its end; gives its events and the last text. */
export async function run({ agent, session }: OpenDirectory, text: string): Promise<readonly AgentEvent[]> {
  const events: AgentEvent[] = [];
  for await (const event of agent.session(session).prompt(text)) events.push(event);
  return events;
}

/** An agent.mdx. */
export const agentText = (name: string, more = "", settings = ""): string =>
  `${settings === "" ? "" : `---\n${settings}\n---\n`}# Agent: ${name}\n\n## Purpose\n\nBe ${name}.\n\n${more}\n`;
