import { closest, defined, didYouMean } from "@mdx-ai/base";
import type { Code } from "mdast";
import { parseInterval } from "../interval.ts";
import { readCode } from "../markdown/code-block.ts";
import { startOf } from "../markdown/syntax-tree.ts";
import { quoted, type Report } from "../report.ts";
import type { SourceText } from "../source-text.ts";
import { isTimeZone } from "../time-zone.ts";
import { checkCode } from "../tools/tool-code-check.ts";
import type {
  ActiveHours,
  HeartbeatCode,
  HeartbeatDirectives,
  HeartbeatReceiver,
  LocatedModel,
  TaskLimit,
} from "../types/agent-definition.ts";
import { TIME_WORDS, weekdaysOf } from "./routine-time.ts";

/** A line `@name: value`, and the code block after it. */
export interface DirectiveLine {
  readonly name: string;
  readonly value: string;
  /** That of the line. */
  readonly offset: number;
  code?: Code;
}

/** The context of the lines. */
export interface DirectiveContext {
  readonly source: SourceText;
  readonly report: Report;
  /** Collects the models that are named. */
  readonly models: LocatedModel[];
  /** The file, relative to the agent directory. */
  readonly file: string;
  /** The names of the inline tools. Absent: any name is right. */
  readonly tools?: readonly string[] | undefined;
}

/** Reads a value. Returns what the directive says, or what was expected instead. */
type ReadValue = (line: DirectiveLine, context: DirectiveContext) => Partial<HeartbeatDirectives> | Expected;

interface Expected {
  readonly expected: string;
  /** A value that the author most likely meant. */
  readonly hint?: string;
}

const expected = (text: string, hint?: string): Expected => ({ expected: text, ...(hint !== undefined && { hint }) });

/** The directives, by their names. */
const READERS: Readonly<Record<string, ReadValue>> = {
  active: ({ value }) => {
    const active = activeHours(value);
    return active === undefined ? expected("hours such as `08:00-22:00` or `08:00-22:00 Mon-Fri`") : { active };
  },
  jitter: ({ value }) => {
    const jitter = parseInterval(value);
    return jitter === undefined ? expected("a time such as `5m`") : { jitter };
  },
  session: ({ value }) =>
    /^[A-Za-z0-9][\w.-]{0,99}$/.test(value)
      ? { session: value }
      : expected("`isolated`, `main` or the name of a session"),
  model: ({ value, offset }, { source, file, models }) => {
    if (!/^\S+$/.test(value)) return expected("a model such as `openai/gpt-5.4-mini`");
    if (value === "inherit") return {};
    models.push({ name: value, setting: "@model", file, ...source.pointAt(offset) });
    return { model: value };
  },
  limit: ({ value }) => {
    const [, day, rest = ""] = /^(day\s+)?(.*)$/s.exec(value) ?? [];
    const limit = taskLimit(rest);
    if (limit === undefined) return expected("`usd=0.50`, `tokens=20000` or both, for a day `day usd=2`");
    return day === undefined ? { limit } : { dayLimit: limit };
  },
  gate: (line, context) => withCode(line, context, "gate"),
  done: (line, context) => withCode(line, context, "done"),
  notify: ({ value }) => {
    const receiver = receiverOf(value);
    return receiver === undefined
      ? expected("`command CMD`, an address `https://…` or `session NAME`")
      : { notify: [receiver] };
  },
  missed: ({ value }) =>
    value === "once" || value === "skip"
      ? { missed: value }
      : expected("`once` or `skip`", didYouMean(value, ["once", "skip"], "write `@missed: once`")),
  "on-start": ({ value }) => {
    if (/^(?:|yes|true)$/i.test(value)) return { onStart: true };
    return /^(?:no|false)$/i.test(value) ? {} : expected("nothing, `yes` or `no`");
  },
  timezone: ({ value }) =>
    isTimeZone(value) ? { timezone: value } : expected("an IANA time zone such as `Europe/Vienna`", zoneHint(value)),
};

const NAMES = Object.keys(READERS);

/** The directive of a line; undefined if the line is none. Times such as `@every 15m` and `@daily` are none. */
export function directiveOf(text: string, offset: number): DirectiveLine | undefined {
  const [, name, value = ""] = /^`?@([a-z][\w-]*)(?:\s*:\s*|\s+|`?$)(.*?)`?$/is.exec(text.trim()) ?? [];
  if (name === undefined || TIME_WORDS.includes(name.toLowerCase())) return undefined;
  return { name: name.toLowerCase(), value: value.trim(), offset };
}

/** Whether a directive is followed by a block of code. */
export const takesCode = ({ name, value, code }: DirectiveLine): boolean =>
  value === "" && code === undefined && ["gate", "done"].includes(closest(name, NAMES) ?? "");

/** Reads directives, and reports the wrong ones. */
export function readDirectives(lines: readonly DirectiveLine[], context: DirectiveContext): HeartbeatDirectives {
  let read: HeartbeatDirectives = {};
  for (const line of lines) {
    const value = readOne(line, context);
    const [key] = Object.keys(value);
    if (key !== undefined && key !== "notify" && key in read) reportTwice(line, context.report);
    else read = { ...read, ...value, ...(value.notify && { notify: [...(read.notify ?? []), ...value.notify] }) };
  }
  return read;
}

function readOne(line: DirectiveLine, context: DirectiveContext): Partial<HeartbeatDirectives> {
  const { name, value, offset } = line;
  const read = Object.hasOwn(READERS, name) ? READERS[name] : undefined;
  if (read === undefined) {
    const message = `unknown directive ${quoted(`@${name}`)}`;
    const known = `expected one of ${NAMES.map((known) => `\`@${known}\``).join(", ")}`;
    const hint = didYouMean(`@${name}`, [...NAMES, "every"].map((known) => `@${known}`), "remove the line, or correct its name"); // biome-ignore format: short
    context.report({ rule: "heartbeat-directive", offset, message: `${message}, ${known}`, hint });
    return {};
  }
  const answer = read(line, context);
  if (!("expected" in answer)) return answer;
  context.report({
    rule: "heartbeat-directive",
    offset,
    message: `unexpected ${quoted(value)} as \`@${name}\`, expected ${answer.expected}`,
    hint:
      answer.hint ?? `write ${/`[^`]+`/.exec(answer.expected)?.[0].replace("`", `\`@${name}: `) ?? answer.expected}`,
  });
  return {};
}

function reportTwice({ name, offset }: DirectiveLine, report: Report): void {
  const message = `second \`@${name}\`, expected one for each task`;
  report({ rule: "heartbeat-directive", offset, message, hint: "remove one of the two" });
}

/** `08:00-22:00`, `08:00-22:00 Mon-Fri` or `Mon-Fri`. */
function activeHours(text: string): ActiveHours | undefined {
  const [, hours, named = ""] = /^(\d{1,2}:\d{2}\s*[-–]\s*\d{1,2}:\d{2})?\s*(.*)$/.exec(text) ?? [];
  const days = named === "" ? undefined : weekdaysOf(named.toLowerCase());
  if (named !== "" && days === undefined) return undefined;
  if (hours === undefined && days === undefined) return undefined;
  const [from = -1, to = -1] = (hours ?? "00:00-24:00").split(/\s*[-–]\s*/).map(minutesOf);
  if (from < 0 || to < 0 || from === to || from >= 1440) return undefined;
  return { from, to, ...defined({ days: days === undefined ? undefined : dayNumbers(days) }) };
}

function minutesOf(text: string): number {
  const [hour = Number.NaN, minute = Number.NaN] = text.split(":").map(Number);
  const minutes = hour * 60 + minute;
  return minute < 60 && minutes <= 1440 ? minutes : -1;
}

/** The numbers of cron's field for days, such as `1-5` or `0,6`. */
const dayNumbers = (field: string): readonly number[] =>
  field === "1-5" ? [1, 2, 3, 4, 5] : field.split(",").map(Number);

function taskLimit(text: string): TaskLimit | undefined {
  const limit: { usd?: number; tokens?: number } = {};
  for (const part of text.split(/[\s,]+/)) {
    const [, key, amount = ""] = /^(usd|tokens)\s*=\s*\$?([\d_]+(?:\.\d+)?)$/i.exec(part) ?? [];
    const number = Number(amount.replaceAll("_", ""));
    if (key === undefined || !(number > 0)) return undefined;
    if (key.toLowerCase() === "usd") limit.usd = number;
    else if (Number.isInteger(number)) limit.tokens = number;
    else return undefined;
  }
  return limit;
}

function receiverOf(value: string): HeartbeatReceiver | undefined {
  const command = /^command\s+(\S.*)$/i.exec(value)?.[1];
  if (command !== undefined) return { type: "command", command };
  const session = /^session\s+([A-Za-z0-9][\w.-]{0,99})$/i.exec(value)?.[1];
  if (session !== undefined) return { type: "session", session };
  return /^https?:\/\/\S+$/i.test(value) && URL.canParse(value) ? { type: "url", url: value } : undefined;
}

function zoneHint(value: string): string {
  const zone = closest(value, Intl.supportedValuesOf("timeZone"));
  const city = Intl.supportedValuesOf("timeZone").find((name) =>
    name.toLowerCase().endsWith(`/${value.toLowerCase()}`),
  );
  return (city ?? zone) === undefined ? "write `@timezone: Europe/Vienna`" : `did you mean \`${city ?? zone}\`?`;
}

const HINTS = {
  gate: "write `async function gate(ctx) { … }` and return false, or `{ wake: true, message }`",
  done: "write `async function done(ctx) { … }` and return true, or the reason as text",
} as const;

/** The code of `@gate` or `@done`: a block, or the name of an inline tool. */
function withCode(
  { value, code: node }: DirectiveLine,
  { source, report, file, tools }: DirectiveContext,
  name: "gate" | "done",
): Partial<HeartbeatDirectives> | Expected {
  if (value !== "") {
    if (tools?.includes(value) === false) return expected("the name of a `<Tool>` of agent.mdx, or nothing and a block of code", didYouMean(value, tools, "add a `<Tool>` of this name, or a ```ts block below")); // biome-ignore format: short
    return codeOf(name, { type: "tool", name: value });
  }
  if (node === undefined || !/^(?:ts|typescript|js|javascript)$/i.test(node.lang ?? "")) {
    return expected("the name of a `<Tool>`, or a code block that starts with ```ts on the next line", HINTS[name]);
  }
  const { code, offsetOf } = readCode(node, source);
  for (const { rule, offset, message, hint } of checkCode(code.text, "ts", {
    name,
    rule: "heartbeat-code",
    hint: HINTS[name],
  })) {
    report({ rule, offset: rule === "heartbeat-code" ? startOf(node) : offsetOf(offset), message, hint });
  }
  return codeOf(name, { type: "block", code: { ...code, file } });
}

const codeOf = (name: "gate" | "done", code: HeartbeatCode): Partial<HeartbeatDirectives> =>
  name === "gate" ? { gate: code } : { done: code };
