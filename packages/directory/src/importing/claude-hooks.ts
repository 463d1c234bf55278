import { attempt, isRecord } from "@mdx-ai/base";
import {
  HOOK_EVENTS,
  type HookDefinition,
  type HookEventName,
  type HookGroup,
  type HookSettings,
} from "@mdx-ai/parser";
import type { NotesOn } from "./imported-agent.ts";

interface HooksReading extends Pick<NotesOn, "translated" | "leftOut"> {
  lineOf(text: string): number | undefined;
  /** Whether they are those of one person. */
  readonly isPersonal: boolean;
}

/** Seconds; longer times there are milliseconds by mistake. */
const MAX_SECONDS = 3_600;

/** The hooks of Claude Code's settings that have an equivalent; undefined if none has. */
export function translatedHooks(written: unknown, reading: HooksReading): HookSettings | undefined {
  const { lineOf, leftOut, translated, isPersonal } = reading;
  if (!isRecord(written)) {
    if (written !== undefined) leftOut("hooks", lineOf("hooks"));
    return undefined;
  }
  const found = Object.entries(written).flatMap(
    ([event, groups]): readonly (readonly [string, readonly HookGroup[]])[] => {
      const line = lineOf(event);
      const name = HOOK_EVENTS.find((one) => one === event);
      if (isPersonal) leftOut(`hooks: ${event}: they are personal`, line);
      else if (name === undefined) leftOut(`hooks: ${event}: there is no such event`, line);
      else {
        const translatedGroups = groupsOf(name, groups, reading);
        if (translatedGroups.length > 0) {
          translated(`hooks: ${event} → hooks in agent.mdx; their commands run in the sandbox`, line);
          return [[event, translatedGroups]];
        }
      }
      return [];
    },
  );
  return found.length === 0 ? undefined : Object.fromEntries(found);
}

/** The hooks of both; undefined if there are none. */
export function joinedHooks(some: HookSettings = {}, more: HookSettings = {}): HookSettings | undefined {
  const events = HOOK_EVENTS.flatMap((name) => {
    const groups = [...(some[name] ?? []), ...(more[name] ?? [])];
    return groups.length === 0 ? [] : [[name, groups] as const];
  });
  return events.length === 0 ? undefined : Object.fromEntries(events);
}

function groupsOf(event: HookEventName, groups: unknown, { lineOf, leftOut }: HooksReading): readonly HookGroup[] {
  return (Array.isArray(groups) ? groups : []).flatMap((group: unknown): readonly HookGroup[] => {
    const { matcher, hooks } = isRecord(group) ? group : {};
    const isMatcher = matcher === undefined || (typeof matcher === "string" && isPattern(matcher));
    const commands = (Array.isArray(hooks) ? hooks : []).flatMap((hook: unknown): readonly HookDefinition[] => {
      const { type, command, timeout } = isRecord(hook) ? hook : {};
      if (isMatcher && type === "command" && typeof command === "string" && command.trim() !== "")
        return [{ type, command, ...(isSeconds(timeout) && { timeout }) }];
      leftOut(`hooks: ${event}: a hook of the type ${String(type)} has no equivalent`, lineOf(event));
      return [];
    });
    if (commands.length === 0) return [];
    return [{ ...(typeof matcher === "string" && matcher !== "" && { matcher }), hooks: commands }];
  });
}

const isPattern = (text: string): boolean => text === "*" || attempt(() => new RegExp(text)) !== undefined;

const isSeconds = (value: unknown): value is number => typeof value === "number" && value > 0 && value <= MAX_SECONDS;
