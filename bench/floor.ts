// The floor: the least that an agent can be. A loop over bare `fetch`, without a library, that streams, reads files, runs
// commands and keeps its session in a file of JSON lines. Usage: bun bench/floor.ts PROMPT
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";

type Block =
  | { readonly type: "text"; text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; input: Input };

interface Input {
  readonly path?: string;
  readonly command?: string;
}

interface StreamEvent {
  readonly type: string;
  readonly content_block: Block;
  readonly delta: { readonly type: string; readonly text: string; readonly partial_json: string };
}

const sessionFile = process.env["SESSION_FILE"] ?? "";
const address = `${process.env["ANTHROPIC_BASE_URL"]}/v1/messages`;
const headers = {
  "content-type": "application/json",
  "x-api-key": process.env["ANTHROPIC_API_KEY"] ?? "",
  "anthropic-version": "2023-06-01",
};
const tools = [
  {
    name: "read_file",
    description: "Reads a file and returns its text.",
    input_schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
  {
    name: "bash",
    description: "Runs a shell command and returns its output.",
    input_schema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  },
];
const messages: unknown[] = existsSync(sessionFile)
  ? readFileSync(sessionFile, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
  : [];

function keep(message: object): void {
  messages.push(message);
  appendFileSync(sessionFile, `${JSON.stringify(message)}\n`);
}

async function ask(): Promise<readonly Block[]> {
  const system = "You are a helpful agent. Use the tools when needed.";
  const body = JSON.stringify({ model: "claude-sonnet-4-5", max_tokens: 4096, stream: true, system, tools, messages });
  const response = await fetch(address, { method: "POST", headers, body });
  const content: Block[] = [];
  const decoder = new TextDecoder();
  let pending = "";
  let json = "";
  for await (const chunk of response.body ?? []) {
    const lines = (pending + decoder.decode(chunk, { stream: true })).split("\n");
    pending = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) json = take(JSON.parse(line.slice(6)), content, json);
  }
  return content;
}

/** Returns the arguments gathered so far of the tool call that is being streamed. */
function take(event: StreamEvent, content: Block[], json: string): string {
  const last = content.at(-1);
  switch (event.type) {
    case "content_block_start":
      content.push(event.content_block);
      return "";
    case "content_block_delta":
      if (last?.type === "text") last.text += event.delta.text;
      return last?.type === "tool_use" ? json + event.delta.partial_json : json;
    case "content_block_stop":
      if (last?.type === "tool_use") last.input = JSON.parse(json);
      return json;
    default:
      return json;
  }
}

function output(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
    });
    child.on("error", reject).on("close", () => resolve(text));
  });
}

async function run(): Promise<void> {
  keep({ role: "user", content: process.argv[2] });
  for (;;) {
    const content = await ask();
    keep({ role: "assistant", content });
    const calls = content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) {
      console.log(content.map((block) => (block.type === "text" ? block.text : "")).join(""));
      return;
    }
    const results = calls.map(async ({ id, name, input }) => ({
      type: "tool_result",
      tool_use_id: id,
      content: name === "bash" ? await output(input.command ?? "") : await readFile(input.path ?? "", "utf8"),
    }));
    keep({ role: "user", content: await Promise.all(results) });
  }
}

await run();
