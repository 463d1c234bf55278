import { mkdir } from "node:fs/promises";
import { join } from "node:path";

/** The program failed while its profile was recorded. */
class ProfileError extends Error {
  override readonly name = "ProfileError";
}

const AGENT = "---\nname: Profile\n---\n\n# Agent: Profile\n\n## Purpose\n\nAnswer briefly.\n";

/**
 * Runs an executable of this machine as users do most often: one prompt with a tool call in a new session, and one more in
 * the same session. Returns the files that hold which functions ran, the most important first, for the next build.
 * `folder` is empty. Rejects with `ProfileError`.
 */
export async function recordProfile(executable: string, folder: string): Promise<string[]> {
  using server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer });
  const agent = join(folder, "agent");
  await mkdir(agent, { recursive: true });
  await Bun.write(join(agent, "agent.mdx"), AGENT);
  const environment = {
    HOME: folder,
    PATH: process.env["PATH"],
    ANTHROPIC_API_KEY: "not-a-key",
    ANTHROPIC_BASE_URL: server.url.origin,
  };
  const profiles = ["first.order", "second.order"].map((name) => join(folder, name));
  for (const profile of profiles) {
    const child = Bun.spawn(
      [executable, "agent", agent, "--trust", "--model", "anthropic/claude-sonnet-4-5", "--prompt", "Go"],
      {
        env: { ...environment, BUN_BYTECODE_ORDER_OUT: profile },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    const [exitCode, output, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()]);
    if (exitCode !== 0 || output !== "Done.\n") {
      throw new ProfileError(
        `The executable ended with ${exitCode} while its profile was recorded.\n${output}${errors}`,
      );
    }
  }
  return profiles;
}

/** The model's replies: it reads the agent's file, then it is done. */
async function answer(request: Request): Promise<Response> {
  const { messages } = JSON.parse(await request.text());
  const isAsked = JSON.stringify(messages.at(-1)).includes("tool_result");
  const block = isAsked
    ? { start: { type: "text", text: "" }, delta: { type: "text_delta", text: "Done." } }
    : {
        start: { type: "tool_use", id: `call_${messages.length}`, name: "read_file", input: {} },
        delta: { type: "input_json_delta", partial_json: '{"path":"agent.mdx"}' },
      };
  const events = [
    { type: "message_start", message: { usage: { input_tokens: 1 } } },
    { type: "content_block_start", index: 0, content_block: block.start },
    { type: "content_block_delta", index: 0, delta: block.delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: isAsked ? "end_turn" : "tool_use" }, usage: { output_tokens: 1 } },
    { type: "message_stop" },
  ];
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}
