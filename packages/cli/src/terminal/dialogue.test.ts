import { expect, test } from "bun:test";
import type { Agent, AgentOptions } from "@mdx-ai/runtime";
import { agentDirectory } from "../../../../test/support/agent-directory.ts";
import { eventually } from "../../../../test/support/eventually.ts";
import type { Reply } from "../../../../test/support/replies.ts";
import { openScriptAgent } from "../../../../test/support/script-agent.ts";
import { themeOf } from "../output/theme.ts";
import { Dialogue } from "./dialogue.ts";
import type { Drawing } from "./screen/screen.ts";
import { PromptView } from "./view/prompt-view.ts";
import { ToolOutput } from "./view/tool-output.ts";

interface Talk extends AsyncDisposable {
  readonly agent: Agent;
  readonly dialogue: Dialogue;
  /** What was given back, in its order. */
  readonly back: readonly string[];
  /** What stands on the screen for good. */
  shown(): string;
  /** What waits. */
  waiting(): string;
}

interface TalkOptions extends Partial<AgentOptions> {
  /** Called with what is shown for good. */
  readonly onShown?: (text: string, dialogue: Dialogue) => void;
}

async function talk(replies: readonly Reply[], { onShown, ...options }: TalkOptions = {}): Promise<Talk> {
  const directory = agentDirectory();
  const agent = await openScriptAgent(directory.path, replies, options);
  const theme = themeOf({ NO_COLOR: "1" });
  const lines: string[] = [];
  const back: string[] = [];
  const append = (drawing: Drawing): void => {
    const text = drawing(200).join("\n");
    lines.push(text);
    onShown?.(text, dialogue);
  };
  const view = new PromptView({
    output: new ToolOutput(),
    screen: { append, refresh: () => undefined, rows: () => 24 },
    theme,
    said: (text) => dialogue.said(text),
  });
  const dialogue: Dialogue = new Dialogue(
    {
      prepare: (text) => ({ text, content: { text, images: [] }, release() {} }),
      agent,
      theme,
      view,
      show: append,
      giveBack: (texts) => void back.push(...texts),
      fail: (message) => void lines.push(message),
    },
    "main",
  );
  return {
    agent,
    dialogue,
    back,
    shown: () => lines.join("\n"),
    waiting: () => dialogue.draw(200).join("\n"),
    async [Symbol.asyncDispose]() {
      await agent.close();
      directory[Symbol.dispose]();
    },
  };
}

test("what is said too late for a prompt that a limit ends returns to the input", async () => {
  const call = { calls: [{ id: "a", name: "bash", arguments: { command: "true" } }] };
  await using all = await talk([call], {
    maxTurns: 1,
    onShown: (text, dialogue) => text.startsWith("Stopped at the limit") && dialogue.say("too late"),
  });
  all.dialogue.say("go");
  all.dialogue.enqueue("next");
  await eventually(() => expect(all.back).toHaveLength(2));
  expect(all.back.toSorted()).toStrictEqual(["next", "too late"]);
  await eventually(() => !all.dialogue.isBusy);
  expect(all.waiting()).toBe("");
  expect(await all.agent.session().messages()).toHaveLength(3);
});

test("input before a prompt has begun waits behind it as a separate prompt", async () => {
  await using all = await talk([{ text: "One." }, { text: "Two." }]);
  all.dialogue.say("first");
  all.dialogue.say("second");
  expect(all.waiting()).toBe("> first\n> second (queued 1)");
  await eventually(() => !all.dialogue.isBusy);
  expect(all.shown()).toBe("> first\n\nOne.\n\n> second\n\nTwo.\n");
});

test("of several texts for a running prompt each is shown once, at its position in the transcript", async () => {
  const call = { calls: [{ id: "a", name: "bash", arguments: { command: "true" } }] };
  const said = ["same", "same", "same "];
  await using all = await talk([call, { text: "Heard." }], {
    onShown: (text, dialogue) => {
      if (text.startsWith("●")) for (const one of said) dialogue.say(one);
    },
  });
  all.dialogue.say("go");
  await eventually(() => !all.dialogue.isBusy);
  expect(all.shown().match(/> same/g)).toHaveLength(3);
  expect(all.shown()).toContain("Heard.");
  expect([all.waiting(), all.back]).toStrictEqual(["", []]);
});

test("a prompt that cannot begin is shown with the reason, and what waits behind it returns to the input", async () => {
  await using all = await talk([]);
  all.dialogue.say("/skill:nope Ann");
  all.dialogue.enqueue("next");
  await eventually(() => expect(all.back.length).toBeGreaterThan(0));
  expect(all.shown()).toMatch(/^> \/skill:nope Ann\n\n.*nope/);
  expect(all.back).toStrictEqual(["next"]);
  await eventually(() => !all.dialogue.isBusy);
});

test("a prompt that is stopped before it began leaves no trace and returns to the input, once", async () => {
  await using all = await talk([{ text: "One." }]);
  all.dialogue.say("first");
  all.dialogue.enqueue("second");
  all.dialogue.stop();
  all.dialogue.stop();
  expect(all.back).toStrictEqual(["first", "second"]);
  await eventually(() => !all.dialogue.isBusy);
  expect(all.shown()).toBe("Stopped\n");
  expect(await all.agent.session().messages()).toStrictEqual([]);
});

test("what is taken out of the queue is not sent, and there is no more than there is", async () => {
  await using all = await talk([{ text: "One." }, { text: "Two." }]);
  all.dialogue.say("first");
  for (const text of ["a", "b"]) all.dialogue.enqueue(text);
  expect([all.dialogue.drop(1), all.dialogue.drop(2), all.dialogue.drop(0)]).toStrictEqual(["a", undefined, undefined]);
  expect(all.dialogue.queue).toStrictEqual(["b"]);
  await eventually(() => !all.dialogue.isBusy);
  expect(all.shown()).toBe("> first\n\nOne.\n\n> b\n\nTwo.\n");
  expect(all.back).toStrictEqual([]);
});

test("what waits does nothing to the terminal and stays within it", async () => {
  await using all = await talk([{ text: "One." }, { text: "Two." }]);
  all.dialogue.say("first");
  all.dialogue.enqueue(`\u001b]0;owned\u0007${"wide 日本 ".repeat(50)}\r\nsecond line\u202e`);
  const lines = all.dialogue.draw(20);
  expect(lines.join("")).not.toMatch(/\p{Cc}|\u202e/u);
  expect(Math.max(...lines.map((line) => Bun.stringWidth(line)))).toBeLessThanOrEqual(20);
  expect(lines.join("").replaceAll(/\s/g, "")).toEndWith("…1moreline(queued1)");
});
