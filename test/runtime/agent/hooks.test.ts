import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { agentDirectory } from "../../support/agent-directory.ts";
import { openScriptAgent } from "../../support/script-agent.ts";

/** A module that notes which hooks ran, in a file; `more` are its members. */
const hooked = (name: string, more: string): string => `
import { appendFileSync } from "node:fs";
let dir = "";
const note = (text) => appendFileSync(dir + "/hooks", text + "\\n");
export default {
  describe: () => ({ name: "${name}", description: "Hooks" }),
  initialize: async (context) => { dir = context.agentDir; },
  tools: () => [],
  systemPrompt: () => "",
  start: async () => {},
  stop: () => {},
  ${more}
};
`;

const FIRST = hooked(
  "first",
  `beforePrompt: ({ input, prompt }) => { note("first before " + prompt + " " + input); return { context: "It rains." }; },
  beforeTool: ({ tool, args }) => { note("first tool " + tool); return args.path === "secret.txt" ? { deny: "that is secret" } : undefined; },
  afterTool: ({ tool, isError, result }) => note("after " + tool + " " + isError + " " + result.content.length),
  afterPrompt: ({ outcome, text }) => note("end " + outcome + " " + text),`,
);
const SECOND = hooked("second", `beforePrompt: () => { note("second before"); throw new Error("no"); },`);

const read = (id: string, path: string) => ({ id, name: "read_file", arguments: { path } });

test("hooks are steps of a prompt, in the order of the file names: they add context, deny calls and receive ends", async () => {
  using directory = agentDirectory({
    "modules/a.ts": FIRST,
    "modules/b.ts": SECOND,
    "note.txt": "noted",
    "secret.txt": "x",
  });
  const replies = [{ calls: [read("a", "note.txt"), read("b", "secret.txt")] }, { text: "Done." }];
  const agent = await openScriptAgent(directory.path, replies);
  await Array.fromAsync(agent.session().prompt("go"));
  const messages = await agent.session().messages();
  expect(messages.map(({ role }) => role)).toStrictEqual([
    "user",
    "user",
    "assistant",
    "toolResult",
    "toolResult",
    "assistant",
  ]);
  expect(messages[1]).toMatchObject({ content: [{ text: "It rains." }], origin: "module" });
  expect(messages[4]).toMatchObject({ content: [{ text: "not run: that is secret" }], isError: true });
  await agent.close();
  expect(readFileSync(join(directory.path, "hooks"), "utf8").trimEnd().split("\n")).toStrictEqual([
    "first before 1 go",
    "second before",
    "first tool read_file",
    "first tool read_file",
    "after read_file false 1",
    "after read_file true 1",
    "end done Done.",
  ]);
  const journal = readFileSync(join(directory.path, "sessions/main/journal.jsonl"), "utf8");
  const steps = [...journal.matchAll(/"step":"(hook:[^"]*|policy:1|end)"/g)].map(([, step]) => step);
  expect(steps).toStrictEqual(["hook:beforePrompt", "policy:1", "hook:afterTool:1", "hook:afterPrompt", "end"]);
  const again = await openScriptAgent(directory.path, []);
  expect(await again.session().messages()).toStrictEqual(messages);
  await again.close();
  const history = readFileSync(join(directory.path, "sessions/main/history.json"), "utf8");
  expect(history).not.toContain("It rains.");
});

test("an error in a timer of a module is the module's until the agent is closed, and then of a folder of modules", async () => {
  using directory = agentDirectory({
    "modules/a.ts": hooked("a", `start: async () => note(new Error("in a timer").stack),`),
  });
  const watched: { claim(error: unknown): boolean; folders: readonly string[]; isOver: boolean }[] = [];
  const agent = await openScriptAgent(directory.path, [], {
    watchErrors: (claim, folders) => {
      const one = { claim, folders, isOver: false };
      watched.push(one);
      return () => {
        one.isOver = true;
      };
    },
  });
  const stack = readFileSync(join(directory.path, "hooks"), "utf8");
  const error = Object.assign(new Error("in a timer"), { stack });
  expect(watched.map(({ claim, isOver }) => [claim(error), claim(new Error("elsewhere")), isOver])).toEqual([
    [true, false, false],
  ]);
  await agent.close();
  expect(watched.map(({ folders, isOver }) => [folders.some((folder) => stack.includes(folder)), isOver])).toEqual([
    [true, true],
  ]);
});
