import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type OpenDirectory, openDirectory } from "@mdx-ai/directory";
import { selfEditor } from "@mdx-ai/directory/self-edit";
import type { McpAnswer, McpQuestion } from "@mdx-ai/runtime";
import type { UndoResult } from "@mdx-ai/sessions";
import { versionedAgent } from "./added-agents.ts";
import { writeFiles } from "./agent-files.ts";
import { surroundingsIn } from "./front-end.ts";
import { scriptReference } from "./replies.ts";
import { cliCommand } from "./run-cli.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const EXAMPLE = '\n<Example>\n\n```json\n{"arguments": {"city": "Wien"}, "result": "one: sunny in Wien"}\n```\n\n</Example>\n\n</Tool>'; // biome-ignore format: short

export const agentText = (mode: string, prose = "Tell the weather."): string =>
  versionedAgent("one", { prose, settings: `self_edit: ${mode}`, attributes: 'network="none"' }).replace(
    "\n</Tool>",
    EXAMPLE,
  );

export interface Change {
  readonly path: string;
  readonly content?: string;
  readonly old?: string;
  readonly new?: string;
}

/** An agent that calls `edit_self` once, and its user. */
export interface SelfEditing extends Disposable {
  readonly path: string;
  readonly home: string;
  open(): Promise<OpenDirectory>;
  /** Runs the prompt; resolves to the result of the call as JSON. */
  run(): Promise<string>;
  undo(): Promise<UndoResult | undefined>;
  /** agent.mdx. */
  text(): string;
  readonly questions: readonly McpQuestion[];
  messages(): readonly string[];
  /** How often the user was asked for trust. */
  trustQuestions(): number;
}

export async function selfEditing(
  mode: string,
  changes: readonly Change[],
  answer: McpAnswer = { action: "accept" },
): Promise<SelfEditing> {
  const folder = temporaryDirectory();
  const path = writeFiles(join(folder.path, "agent"), { "agent.mdx": agentText(mode) });
  const files = changes.map((change) => ({ ...change }));
  const calls = [{ id: "1", name: "edit_self", arguments: { summary: "Say more", files } }];
  const model = scriptReference(folder.path, [{ calls }, { text: "done" }]);
  const questions: McpQuestion[] = [];
  let asked = 0;
  const open = (): Promise<OpenDirectory> =>
    openDirectory(path, {
      frontEnd: {
        ...surroundingsIn(folder.path),
        toolHostCommand: cliCommand(["__tool-host"]),
        openSelfEditor: async (options) => selfEditor(options),
      },
      run: { flags: { model } },
      askTrust: async () => {
        asked++;
        return "always";
      },
      onServerQuestion: async (_server, question) => {
        questions.push(question);
        return answer;
      },
    });
  const run = async (): Promise<string> => {
    const opened = await open();
    try {
      for await (const event of opened.agent.session("main").prompt("Change")) void event;
      const messages = await opened.agent.session("main").messages();
      return JSON.stringify(messages.find(({ role }) => role === "toolResult"));
    } finally {
      await opened.close();
    }
  };
  const undo = async (): Promise<UndoResult | undefined> => {
    const opened = await open();
    const undone = await opened.agent.session("main").undo();
    await opened.close();
    return undone;
  };
  const text = (): string => readFileSync(join(path, "agent.mdx"), "utf8");
  const trustQuestions = (): number => asked;
  return { path, home: folder.path, open, run, undo, text, questions, trustQuestions, messages: () => questions.map(({ message }) => message), [Symbol.dispose]: () => folder[Symbol.dispose]() }; // biome-ignore format: short
}

export const PROSE: Change = { path: "agent.mdx", old: "Tell the weather.", new: "Tell the weather and the tides." };
