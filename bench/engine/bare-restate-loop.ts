import { createServer } from "node:http2";
import { createEndpointHandler, handlers, type ObjectContext, object, serde } from "@restatedev/restate-sdk";
import { freePorts, type RestateProcess } from "../../test/support/restate-server.ts";
import type { TurnCounter } from "../engine.ts";

interface BareOptions {
  readonly sessions: number;
  readonly turns: number;
  readonly counter: TurnCounter;
}

/** A running loop. */
export interface BareEngine {
  readonly stop: () => Promise<void>;
}

interface Prompt {
  readonly id: string;
}

interface Line {
  readonly role: string;
  readonly text: string;
}

/**
 * The least that an agent on Restate is: a controller with a queue, and a session with a transcript, whose turns have three durable steps
 * (the model, the start of a tool, the tool).
 */
export async function startBareLoop(
  server: RestateProcess,
  { sessions, turns, counter }: BareOptions,
): Promise<BareEngine> {
  const name = `bare${sessions}`;
  let isOver = false;
  const send = (context: ObjectContext, service: string, method: string, parameter: unknown): unknown =>
    context.genericSend({ service, method, key: context.key, parameter: encoded(parameter) });
  const controller = object({
    name: `${name}.controller`,
    handlers: {
      submit: handlers.object.exclusive(async (context: ObjectContext, prompt: Prompt) => {
        const queue = (await context.get<Prompt[]>("queue")) ?? [];
        if ((await context.get<string>("running")) !== null) context.set("queue", [...queue, prompt]);
        else {
          send(context, `${name}.session`, "run", prompt);
          context.set("running", prompt.id);
        }
      }),
      ended: handlers.object.exclusive(async (context: ObjectContext) => {
        const [next, ...queue] = (await context.get<Prompt[]>("queue")) ?? [];
        context.set("queue", queue);
        if (next === undefined) context.clear("running");
        else {
          send(context, `${name}.session`, "run", next);
          context.set("running", next.id);
        }
      }),
    },
    options: { journalRetention: 0 },
  });
  const session = object({
    name: `${name}.session`,
    handlers: {
      run: handlers.object.exclusive(async (context: ObjectContext, { id }: Prompt) => {
        const transcript = (await context.get<Line[]>("transcript")) ?? [];
        transcript.push({ role: "user", text: id });
        for (let turn = 1; turn <= turns; turn++) {
          const answer = await context.run("model", async () => {
            counter.turn(context.key);
            if (turn === turns && !isOver) void submit(context.key);
            return `answer ${turn}`;
          });
          const started = await context.run("start", async () => crypto.randomUUID());
          const result = await context.run("tool", async () => `noted: ${started}`);
          transcript.push({ role: "assistant", text: answer }, { role: "tool", text: result });
        }
        context.set("transcript", transcript);
        send(context, `${name}.controller`, "ended", null);
      }),
    },
    options: { journalRetention: 0 },
  });
  const submit = async (key: string): Promise<void> => {
    await fetch(`${server.ingress}/${name}.controller/${key}/submit`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ id: crypto.randomUUID() }),
    });
  };
  const [port = 0] = await freePorts(1);
  const endpoint = createServer(createEndpointHandler({ services: [controller, session], logger: () => {} }));
  await new Promise<void>((resolve) => void endpoint.listen({ host: "127.0.0.1", port }, resolve));
  await fetch(`${server.admin}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  await Promise.all(Array.from({ length: sessions }, (_, index) => submit(`s${index}`)));
  return {
    stop: async () => {
      isOver = true;
      await Bun.sleep(1_000);
      endpoint.close();
    },
  };
}

const encoded = (value: unknown): Uint8Array => serde.json.serialize(value);
