import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenDirectory, type OpenDirectoryOptions, openDirectory } from "@mdx-ai/directory";
import { type AgentEvent, answerText } from "@mdx-ai/loop";
import type { LanguageModel } from "@mdx-ai/models";
import { writeFiles } from "./agent-files.ts";
import { surroundingsIn } from "./front-end.ts";
import { cliCommand } from "./run-cli.ts";
import { run, toolTexts } from "./team.ts";
import { type TemporaryDirectory, temporaryDirectory } from "./temporary-directory.ts";

export interface Bench extends Disposable {
  readonly path: string;
  readonly warnings: string[];
  /** What a command wrote beside the agent. */
  file(name: string): string;
  open(model: LanguageModel, options?: Partial<OpenDirectoryOptions>): Promise<OpenDirectory>;
}

/** An agent with hooks, without a sandbox unless the settings say so. */
export function bench(hooks: object, { settings = "sandbox: off", more = "", files = {} } = {}): Bench {
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

export const command = (text: string, more: object = {}) => ({ hooks: [{ type: "command", command: text, ...more }] });
export const LOOK = { list_files: { path: "." } };

export async function said(opened: OpenDirectory, text = "Go") {
  try {
    const events = await run(opened, text);
    const messages = await opened.agent.session().messages();
    return { events, messages, texts: toolTexts(messages), answer: answerText(messages) };
  } finally {
    await opened.close();
  }
}

export const json = (text: string) => JSON.parse(text);
export const outcomeOf = (events: readonly AgentEvent[]) => events.findLast((event) => event.type === "agent_end");
