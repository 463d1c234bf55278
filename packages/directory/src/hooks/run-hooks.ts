import type { JsonObject } from "@mdx-ai/base";
import type { HookDefinition, HookEventName, HookSettings } from "@mdx-ai/parser";
import type { HookCommandEnd, ProgramHost } from "@mdx-ai/runtime";
import { plainLine } from "../text.ts";
import { type HookOutcome, hookOutcome } from "./hook-outcome.ts";

/** Where hooks come from. */
export interface HookSource {
  readonly hooks: HookSettings;
  /** The name of the agent that runs, if the hooks are those of an agent that it works for. */
  readonly agent?: string;
}

export interface HookRunOptions {
  readonly host: Pick<ProgramHost, "runCommand">;
  /** Absolute. */
  readonly agentDir: string;
  /** The folder where the agent works. Absolute. */
  readonly projectDir: string;
  readonly onWarning: (message: string) => void;
}

/** An event and which hooks it runs. */
export interface HookedEvent {
  readonly event: HookEventName;
  readonly source: HookSource;
  readonly cwd: string;
  /** Besides the name of the event. */
  readonly input: JsonObject;
  readonly signal?: AbortSignal;
  matches(matcher: string | undefined): boolean;
}

/** Seconds that a hook may take. */
const DEFAULT_SECONDS = 60;

/** Runs the hooks of an event side by side, each command once. Resolves to what they want, in their order. Never rejects. */
export async function runHooks(hooked: HookedEvent, options: HookRunOptions): Promise<readonly HookOutcome[]> {
  const { event, source } = hooked;
  const groups = (source.hooks[event] ?? []).filter(({ matcher }) => hooked.matches(matcher));
  const hooks = groups.flatMap((group) => group.hooks);
  const single = hooks.filter(({ command }, index) => hooks.findIndex((one) => one.command === command) === index);
  const outcomes = await Promise.all(single.map((hook) => runHook(hook, hooked, options)));
  for (const [index, { warning }] of outcomes.entries()) {
    const command = single[index]?.command ?? "";
    if (warning !== undefined) options.onWarning(`hook ${event} (${plainLine(command)}): ${plainLine(warning)}`);
  }
  return outcomes;
}

async function runHook(
  { command, timeout = DEFAULT_SECONDS }: HookDefinition,
  { event, cwd, input, signal }: HookedEvent,
  { host, agentDir, projectDir }: HookRunOptions,
): Promise<HookOutcome> {
  const limit = AbortSignal.timeout(timeout * 1000);
  const end: HookCommandEnd = await host.runCommand({
    ...{ command, cwd },
    input: JSON.stringify({ ...input, hook_event_name: event }),
    environment: { CLAUDE_PROJECT_DIR: projectDir, AGENT_DIR: agentDir },
    signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
  });
  if (limit.aborted) return { warning: `no end within ${timeout} s` };
  return signal?.aborted ? {} : hookOutcome(event, command, end);
}
