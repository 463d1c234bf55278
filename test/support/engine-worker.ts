import type { AgentEvent } from "@mdx-ai/loop";
import { cliCommand, cliEnvironment } from "./run-cli.ts";
import { type Json, sentEvents } from "./served-agent.ts";

export const TOKEN = "a-token-of-some-length";

export interface WorkerOptions {
  /** The folder with the agent's folder `agent`, and the user's home. Absolute. */
  readonly home: string;
  /** For `--engine`. */
  readonly engine: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly port: number;
  readonly more?: readonly string[];
}

/** `mdx-ai serve agent --engine …` in a process of its own. */
export interface EngineWorker extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
  /** Sends a request with the token below `/api/agents/agent/`, or from a slash on. */
  send(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  json(method: string, path: string, body?: unknown): Promise<Json>;
  /** The events of a session after an id, until one of this type. */
  eventsUntil(session: string, type: AgentEvent["type"], after?: string): Promise<readonly AgentEvent[]>;
  kill(signal: NodeJS.Signals): Promise<number>;
  readonly stderr: () => string;
}

export async function engineWorker(options: WorkerOptions): Promise<EngineWorker> {
  const { home, engine, environment, port, more = [] } = options;
  const engineArgs = ["--engine", engine, "--worker-port", String(port)];
  const model = ["--model", "deepseek/deepseek-chat", "--sandbox", "off", "--trust", "--token", "env:TOKEN"];
  const child = Bun.spawn(cliCommand(["serve", "agent", ...model, ...engineArgs, ...more]), {
    ...{ cwd: home, env: cliEnvironment({ home, environment: { TOKEN, ...environment } }) },
    ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  });
  let stderr = "";
  const ready = Promise.withResolvers<void>();
  const read = async (): Promise<void> => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      stderr += text;
      if (stderr.includes("mdx-ai: worker ")) ready.resolve();
    }
    ready.reject(new Error(`the worker ended: ${stderr}`));
  };
  void read();
  const { value } = await child.stdout.pipeThrough(new TextDecoderStream()).getReader().read();
  const url = String(value).trim();
  await ready.promise;
  const send: EngineWorker["send"] = (method, path, body, headers = {}) =>
    fetch(path.startsWith("/") ? `${url}${path}` : `${url}/api/agents/agent/${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const kill = async (signal: NodeJS.Signals): Promise<number> => {
    child.kill(signal);
    return child.exited;
  };
  return {
    ...{ url, pid: child.pid, send, kill, stderr: () => stderr },
    async json(method, path, body) {
      return (await send(method, path, body)).json();
    },
    async eventsUntil(session, type, after = "0.0") {
      const response = await send("GET", `sessions/${session}/events?after=${after}`, undefined, {
        accept: "text/event-stream",
      });
      const events: AgentEvent[] = [];
      for await (const { data } of sentEvents(response)) {
        events.push(data);
        if (data.type === type) return events;
      }
      throw new Error(`no ${type} in ${events.map((event) => event.type).join(" ")}; ${stderr}`);
    },
    async [Symbol.asyncDispose]() {
      await kill("SIGKILL");
    },
  };
}
