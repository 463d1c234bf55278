import { isList, isRecord, type Redactor } from "@mdx-ai/base";
import type { HeartbeatLook, HostedHeartbeat, HostedWake, RunEnd } from "@mdx-ai/runtime";
import {
  type Context,
  handlers,
  type ObjectContext,
  type ObjectSharedContext,
  object,
  RetryableError,
  service,
} from "@restatedev/restate-sdk";
import { redactedJson } from "./redacted-json.ts";
import { type EngineService, MAX_STEP } from "./worker.ts";

/** The one key of an agent's heartbeat. */
export const HEARTBEAT = "heartbeat";

/** The name of its object. */
export const heartbeatService = (agent: string): string => `${agent}.heartbeat`;

/** How many lines of the record are kept. */
const MAX_LINES = 500;

/** A message to look at the clock. */
interface Tick {
  /** Of the last start or look that planned it; another one makes it void. */
  readonly token: string;
}

/**
 * The heartbeat of an agent: its record, and the next look at the clock as a delayed message. Whichever worker gets the message decides what is
 * due; the engine starts each run once.
 */
export function heartbeatObjects(
  agent: string,
  redactor: Redactor,
  heartbeat: () => Promise<HostedHeartbeat>,
): EngineService[] {
  const json = redactedJson(redactor);
  const name = heartbeatService(agent);
  const runs = `${agent}.wakes`;
  const { exclusive, shared } = handlers.object;
  const look = async (context: ObjectContext, isStart: boolean): Promise<void> => {
    const lines = await recordOfHeartbeat(context);
    const { awake, expected } = await lastLook(context);
    const decided = await context.run<unknown>(
      "look",
      async () => {
        const now = Date.now();
        const given = { lines, now, ...(!isStart && { awake, expected }) };
        const found = await (await opened(heartbeat)).look(given);
        return { ...found, now, token: crypto.randomUUID() };
      },
      { serde: json },
    );
    if (!isLook(decided)) return;
    const { now, token, wakes, wait } = decided;
    append(context, lines, decided.lines);
    context.set("looked", now);
    context.set("token", token);
    context.set("expected", now + (wait ?? 0));
    for (const wake of wakes) context.genericSend({ service: runs, method: "run", parameter: wake, inputSerde: json });
    if (wait === undefined) return;
    const tick: Tick = { token };
    context.genericSend({
      service: name,
      method: "tick",
      key: context.key,
      parameter: tick,
      delay: wait,
      inputSerde: json,
    });
  };
  return [
    object({
      name,
      handlers: {
        /** Each worker says this when it begins. Looks unless a look is planned for the same tasks. */
        start: exclusive(async (context: ObjectContext, tasks: string): Promise<void> => {
          if ((await context.get<string>("tasks")) === tasks) return;
          const isFirst = (await context.get<string>("tasks")) === null;
          context.set("tasks", tasks);
          await look(context, isFirst);
        }),
        tick: exclusive(async (context: ObjectContext, { token }: Tick): Promise<void> => {
          if ((await context.get<string>("token")) === token) await look(context, false);
        }),
        ended: exclusive(async (context: ObjectContext, { wake, end }: WakeEnd): Promise<void> => {
          const lines = await recordOfHeartbeat(context);
          const { awake, expected } = await lastLook(context);
          const added = await context.run<unknown>(
            "ended",
            async () => {
              const now = Date.now();
              return (await opened(heartbeat)).ended({ lines, now, awake: awake ?? now, expected }, wake, end);
            },
            { serde: json },
          );
          append(context, lines, Array.isArray(added) ? added : []);
          await look(context, false);
        }),
        record: shared((context: ObjectSharedContext) => recordOfHeartbeat(context)),
      },
      options: { journalRetention: 0 },
    }),
    service({
      name: runs,
      handlers: {
        run: async (context: Context, wake: HostedWake): Promise<void> => {
          const work = async (): Promise<RunEnd> => {
            const ended = await (await opened(heartbeat)).run(wake);
            if (ended === undefined) throw new RetryableError("the worker stops");
            return ended;
          };
          const end = await context.run<RunEnd>("wake", work, { serde: redactedJson(redactor) });
          const parameter: WakeEnd = { wake, end };
          context.genericSend({ service: name, method: "ended", key: HEARTBEAT, parameter, inputSerde: json });
        },
      },
      options: { journalRetention: 0, inactivityTimeout: MAX_STEP, abortTimeout: MAX_STEP },
    }),
  ];
}

interface WakeEnd {
  readonly wake: HostedWake;
  readonly end: RunEnd;
}

/** A worker that cannot open the agent leaves the work to others. */
async function opened(heartbeat: () => Promise<HostedHeartbeat>): Promise<HostedHeartbeat> {
  return heartbeat().catch((cause: unknown) => {
    throw new RetryableError("the worker cannot open the agent", { cause });
  });
}

interface Looked extends HeartbeatLook {
  readonly now: number;
  readonly token: string;
}

const isLook = (value: unknown): value is Looked =>
  isRecord(value) &&
  isList(value["wakes"], isRecord) &&
  isList(value["lines"], isRecord) &&
  typeof value["token"] === "string";

/** When the clock was looked at last, and when it was to be looked at next. */
async function lastLook(
  context: ObjectContext,
): Promise<{ readonly awake: number | undefined; readonly expected: number | undefined }> {
  const [awake, expected] = [await context.get<number>("looked"), await context.get<number>("expected")];
  return { awake: awake ?? undefined, expected: expected ?? undefined };
}

async function recordOfHeartbeat(context: ObjectSharedContext): Promise<readonly string[]> {
  const lines = await context.get<unknown>("lines");
  return Array.isArray(lines) ? lines.map(String) : [];
}

function append(context: ObjectContext, before: readonly string[], added: readonly unknown[]): void {
  if (added.length === 0) return;
  context.set("lines", [...before, ...added.map((line) => JSON.stringify(line))].slice(-MAX_LINES));
}
