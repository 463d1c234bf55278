import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { answerEvents, failureReply, textReply, toolReply } from "../support/anthropic-replies.ts";
import { type AnthropicServer, anthropicServer } from "../support/anthropic-server.ts";
import { gatedCall, openGate } from "../support/gated-tool.ts";
import { type InteractiveOptions, type InteractiveRun, openInteractive } from "../support/interactive-session.ts";
import { requireProgram } from "../support/require-program.ts";
import type { TmuxTerminal } from "../support/tmux.ts";

setDefaultTimeout(60_000);

const gated = (gate: string) => toolReply({ id: `t-${gate}`, name: "bash", input: gatedCall(gate) });
const hanging = (text: string) => ({ events: answerEvents([{ text: [text] }]).slice(0, 4), end: "hang" as const });

const open = (server: AnthropicServer, options: InteractiveOptions = {}): Promise<InteractiveRun> =>
  openInteractive({
    rows: 40,
    ...options,
    environment: server.environment,
    args: ["--model", "anthropic/claude-test", "--retries", "0", ...(options.args ?? [])],
  });

async function send(terminal: TmuxTerminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

/** The messages of a request, which the server did not refuse: who speaks, and a word on each block. */
function messagesOf(server: AnthropicServer, request: number): readonly string[] {
  const { body, refusal } = server.requests[request] ?? {};
  expect(refusal).toBeUndefined();
  const messages: unknown = typeof body === "object" && body !== null && "messages" in body ? body.messages : [];
  return Array.isArray(messages) ? messages.map(({ role, content }) => `${role}: ${blocksText(content)}`) : [];
}

const blocksText = (content: unknown): string =>
  Array.isArray(content)
    ? content.map((block) => (block.type === "text" ? block.text : block.type)).join(" + ")
    : String(content);

const count = (text: string, part: string): number => text.split(part).length - 1;

describe.skipIf(requireProgram("tmux") || requireProgram("bwrap"))("while a prompt runs", () => {
  test("a new line is sent in the very next request, behind the results, and is shown once in its place", async () => {
    using server = anthropicServer(gated("a"), textReply("Red it is."), textReply("Yes."));
    await using run = await open(server);
    await send(run.terminal, "paint it");
    await run.terminal.waitFor("running bash");
    await send(run.terminal, "use red");
    await run.terminal.waitFor(/^> use red \(sent before the next step\)$/m);
    await send(run.terminal, "and hurry");
    await run.terminal.waitFor(/^> and hurry \(sent before the next step\)$/m);
    openGate(run.directory, "a");
    await run.terminal.waitFor(/Red it is\.[\s\S]*\n>\n*$/);
    expect(messagesOf(server, 1)).toStrictEqual([
      "user: paint it",
      "assistant: tool_use",
      "user: tool_result + use red + and hurry",
    ]);
    const history = await run.terminal.history();
    expect(history).toMatch(/^> paint it\n[\s\S]*through a\n[\s\S]*^> use red\n\n> and hurry\n\nRed it is\.$/m);
    expect([count(history, "use red"), count(history, "told before")]).toEqual([1, 0]);
    await send(run.terminal, "really?");
    await run.terminal.waitFor("Yes.");
    expect(messagesOf(server, 2).slice(-2)).toStrictEqual(["assistant: Red it is.", "user: really?"]);
  });

  test("a line that comes with the last answer is answered in one more turn", async () => {
    using server = anthropicServer({ events: answerEvents([{ text: ["Fin", "ished."] }]), chunk: 200, pause: 150 });
    server.add(textReply("Green, then."));
    await using run = await open(server);
    await send(run.terminal, "paint it");
    await run.terminal.waitFor(/^\S (thinking|answering)/m);
    await send(run.terminal, "use green");
    await run.terminal.waitFor("Green, then.");
    expect(messagesOf(server, 1)).toStrictEqual(["user: paint it", "assistant: Finished.", "user: use green"]);
  });

  test("a skill that is used is sent as its content, and shown as it was typed", async () => {
    using server = anthropicServer(gated("a"), textReply("O Ann!"));
    const skill = "---\nname: greet\ndescription: Greets in verse\n---\nGreet as a poet does.\n";
    await using run = await open(server, { files: { "skills/greet/SKILL.md": skill } });
    await send(run.terminal, "go");
    await run.terminal.waitFor("running bash");
    await send(run.terminal, "/skill:greet Ann");
    await run.terminal.waitFor("> /skill:greet Ann (sent");
    openGate(run.directory, "a");
    await run.terminal.waitFor(/^> \/skill:greet Ann\n\nO Ann!$/m);
    expect(messagesOf(server, 1).at(-1)).toContain("Greet as a poet does.");
  });

  test("/queue sends prompts one after the other behind it, lists them and takes one back", async () => {
    using server = anthropicServer(gated("a"), textReply("One."), textReply("Two."), textReply("Three."));
    await using run = await open(server);
    await send(run.terminal, "first");
    await run.terminal.waitFor("running bash");
    for (const text of ["second", "never mind", "third"]) await send(run.terminal, `/queue ${text}`);
    await run.terminal.waitFor(/^> second \(queued 1\)\n> never mind \(queued 2\)\n> third \(queued 3\)$/m);
    await send(run.terminal, "/queue");
    await run.terminal.waitFor(/^1 {2}second\n2 {2}never mind\n3 {2}third$/m);
    await send(run.terminal, "/queue drop 2");
    await run.terminal.waitFor(/^Removed from the queue: never mind$/m);
    await run.terminal.waitFor(/^> third \(queued 2\)$/m);
    openGate(run.directory, "a");
    await run.terminal.waitFor(/^> second\n\nTwo\.\n\n> third\n\nThree\.$/m);
    expect(messagesOf(server, 3).filter((message) => message.startsWith("user"))).toStrictEqual([
      "user: first",
      "user: tool_result",
      "user: second",
      "user: third",
    ]);
  });
});

describe.skipIf(requireProgram("tmux") || requireProgram("bwrap"))("Esc", () => {
  test("stops a tool; all unsent text returns to the input, before what is typed there", async () => {
    using server = anthropicServer(gated("a"), textReply("Back."));
    await using run = await open(server);
    await send(run.terminal, "go");
    await run.terminal.waitFor("running bash");
    await send(run.terminal, "/queue queued");
    await run.terminal.waitFor("queued 1");
    await send(run.terminal, "steered");
    await run.terminal.waitFor("> steered (sent");
    await run.terminal.type("draft");
    await run.terminal.waitFor("> draft");
    await run.terminal.press("Escape");
    await run.terminal.waitFor(/^Stopped$[\s\S]*^> steered\n\n {2}queued\n\n {2}draft\n*$/m);
    await run.terminal.press("Enter");
    await run.terminal.waitFor("Back.");
    expect(server.requests).toHaveLength(2);
    expect(messagesOf(server, 1).at(-1)).toEndWith("steered\n\nqueued\n\ndraft");
    openGate(run.directory, "a");
  });

  test("stops an answer in its stream, keeps what had come, and the next prompt is accepted", async () => {
    using server = anthropicServer(hanging("Half an answer"), textReply("Whole."));
    await using run = await open(server);
    await send(run.terminal, "go");
    await run.terminal.waitFor("Half an answer");
    await run.terminal.press("Escape");
    await run.terminal.waitFor(/Half an answer\n\nStopped$/m);
    await send(run.terminal, "again");
    await run.terminal.waitFor("Whole.");
    expect(messagesOf(server, 1).at(-1)).toBe("user: again");
  });

  test("is not meant by a key whose sequence begins like it", async () => {
    using server = anthropicServer(gated("a"), textReply("Done."));
    await using run = await open(server);
    await run.terminal.type("go");
    await run.terminal.press("Left", "Right", "Home", "End", "Enter");
    await run.terminal.waitFor("running bash");
    await run.terminal.press("Left", "Up", "Down", "M-b", "F5");
    await run.terminal.type("x");
    await run.terminal.waitFor(/^> \w*x/m);
    openGate(run.directory, "a");
    expect(await run.terminal.waitFor("Done.")).not.toContain("Stopped");
  });
});

test.skipIf(requireProgram("tmux") || requireProgram("bwrap"))(
  "if a prompt fails, the queue returns to the input",
  async () => {
    using server = anthropicServer(gated("a"), failureReply(400, "invalid_request_error", { message: "on strike" }));
    await using run = await open(server);
    await send(run.terminal, "go");
    await run.terminal.waitFor("running bash");
    await send(run.terminal, "/queue then this");
    await run.terminal.waitFor("queued 1");
    openGate(run.directory, "a");
    await run.terminal.waitFor(/on strike[\s\S]*^> then this$/m);
    expect(server.requests).toHaveLength(2);
  },
);

test.skipIf(requireProgram("tmux"))(
  "what runs and waits when the user leaves is kept, shown at the next start and finished",
  async () => {
    using server = anthropicServer(hanging("Never"), textReply("First."), textReply("Second."), textReply("Third."));
    await using first = await open(server);
    await send(first.terminal, "first");
    await first.terminal.waitFor("Never");
    await send(first.terminal, "/queue second");
    await first.terminal.waitFor("queued 1");
    await send(first.terminal, "steered");
    await first.terminal.waitFor("> steered (sent");
    await send(first.terminal, "/quit");
    expect(await first.terminal.exitCode()).toBe(0);
    expect(await first.terminal.history()).toMatch(
      /^The running prompt and 1 prompt of the queue are kept and finished before the\nnext one$/m,
    );
    await using second = await open(server, { directory: first.directory, home: first.home });
    await second.terminal.waitFor(
      /^Interrupted and queued prompts:\n {2}interrupted: "first"\n {2}in the queue: "second"$/m,
    );
    await send(second.terminal, "third");
    await second.terminal.waitFor(/^Resuming what was in the queue\n\n> second\n\nSecond\.\n\n> third\n\nThird\.$/m);
    expect(messagesOf(server, 3)).toStrictEqual([
      "user: first + steered",
      "assistant: First.",
      "user: second",
      "assistant: Second.",
      "user: third",
    ]);
  },
);
