import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenDirectory, type OpenDirectoryOptions, openDirectory } from "@mdx-ai/directory";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import type { LanguageModel, Message } from "@mdx-ai/models";
import { writeFiles } from "./agent-files.ts";
import { surroundingsIn } from "./front-end.ts";
import { cliCommand } from "./run-cli.ts";
import { run, toolTexts } from "./team.ts";
import { type TemporaryDirectory, temporaryDirectory } from "./temporary-directory.ts";

export interface HookBench extends Disposable {
  readonly path: string;
  readonly warnings: string[];
  /** What a command wrote beside the agent. */
  file(name: string): string;
  open(model: LanguageModel, options?: Partial<OpenDirectoryOptions>): Promise<OpenDirectory>;
}

interface HookBenchOptions {
  /** Lines of the frontmatter. */
  readonly settings?: string;
  /** The end of agent.mdx. */
  readonly more?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** An agent with hooks, without a sandbox unless the settings say so. */
export function bench(
  hooks: object,
  { settings = "sandbox: off", more = "", files = {} }: HookBenchOptions = {},
): HookBench {
  const home: TemporaryDirectory = temporaryDirectory();
  const front = `---\nbuiltins: coding\n${settings}\nhooks: ${JSON.stringify(hooks)}\n---\n`;
  writeFiles(home.path, {
    "lead/agent.mdx": `${front}# Agent: lead\n\n## Purpose\n\nBe lead.\n\n${more}\n`,
    ...files,
  });
  const path = join(home.path, "lead");
  const warnings: string[] = [];
  const frontEnd = { ...surroundingsIn(home.path), toolHostCommand: cliCommand(["__tool-host"]) };
  return {
    ...{ path, warnings },
    file: (name) => (existsSync(join(path, name)) ? readFileSync(join(path, name), "utf8") : ""),
    open: (model, options = {}) =>
      openDirectory("lead", {
        ...{ frontEnd, model, onWarning: (line: string) => warnings.push(line), ...options },
        run: { isTrusted: true, ...options.run },
      }),
    [Symbol.dispose]: () => home[Symbol.dispose](),
  };
}

/** A hook that runs a command. */
export const command = (text: string, more: object = {}): { readonly hooks: readonly object[] } => ({
  hooks: [{ type: "command", command: text, ...more }],
});
/** Calls `list_files`. */
export const LOOK: { readonly list_files: { readonly path: string } } = { list_files: { path: "." } };

interface Said {
  readonly events: readonly AgentEvent[];
  readonly messages: readonly Message[];
  /** The results of tools. */
  readonly texts: readonly string[];
  readonly answer: string;
}

/** The result of one prompt, after which the agent is closed. */
export async function said(opened: OpenDirectory, text = "Go"): Promise<Said> {
  try {
    const events = await run(opened, text);
    const messages = await opened.agent.session().messages();
    return { events, messages, texts: toolTexts(messages), answer: answerText(messages) };
  } finally {
    await opened.close();
  }
}

/** A file that a hook wrote. */
// biome-ignore lint/suspicious/noExplicitAny: any JSON
export const json = (text: string): any => JSON.parse(text);
export const outcomeOf = (events: readonly AgentEvent[]): AgentEvent | undefined =>
  events.findLast((event) => event.type === "agent_end");
