import { existsSync } from "node:fs";
import { extname, join, resolve } from "node:path";
import type { Environment } from "@mdx-ai/base";
import { findProgram } from "@mdx-ai/base/disk";
import { plainLine } from "@mdx-ai/directory/text";
import { counted } from "@mdx-ai/directory/views/figures";
import { answerText } from "@mdx-ai/loop";
import type { Session } from "@mdx-ai/runtime";
import { readSession, type SessionRecord, UnknownSessionError } from "@mdx-ai/sessions";
import { writeNewFile } from "../output/write-output.ts";
import { EXPORT_FORMATS, exportText } from "../sessions/export-session.ts";

/** Runs `/copy` and returns the answer. Rejects as `Session.messages` does. */
export async function runCopy(session: Session, clipboard: ClipboardOptions): Promise<string> {
  const messages = await session.messages();
  // The last message may be a call or an incomplete answer.
  const said = messages.findLast((message) => message.role === "assistant" && answerText([message]).trim() !== "");
  const answer = said && answerText([said]);
  if (answer === undefined) return "There is no answer to copy yet.";
  const length = counted(answer.length, "character");
  const copied = await copyText(answer, clipboard);
  switch (copied.type) {
    case "program":
      return `Copied the last answer with ${copied.name}: ${length}.`;
    case "terminal":
      return `Sent the last answer to the clipboard of your terminal (OSC 52), if it allows that: ${length}.`;
    case "too_long":
      return `The last answer has ${length}: too long for the terminal's clipboard. Install wl-copy or xclip, or write it to a file with /export.`;
  }
}

/** How a text was copied; "too_long": too long for the terminal, and no program is available. */
type Copied =
  | { readonly type: "program"; readonly name: string }
  | { readonly type: "terminal" }
  | { readonly type: "too_long" };

export interface ClipboardOptions {
  /** The user's variables. */
  readonly environment: Environment;
  /** Sends a control sequence to the terminal. */
  readonly send: (sequence: string) => void;
}

/** Maximum bytes copied through the terminal: common ones cut or drop more than 100,000 base64 characters. */
const MAX_BYTES = 74_000;
/** Milliseconds after which a program is considered stuck. */
const PATIENCE = 3000;

/**
 * Copies a text to the clipboard with a program of the user's display, else through the terminal (OSC 52), which may silently refuse. Over
 * SSH only the terminal reaches the user's clipboard. Never rejects.
 */
async function copyText(text: string, { environment, send }: ClipboardOptions): Promise<Copied> {
  for (const command of clipboardPrograms(environment)) {
    if (await runs(command, text, environment)) return { type: "program", name: command[0] ?? "" };
  }
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_BYTES) return { type: "too_long" };
  send(`\u001b]52;c;${bytes.toString("base64")}\u0007`);
  return { type: "terminal" };
}

/** Commands that copy standard input on this display; empty over SSH. */
export function clipboardPrograms(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): readonly (readonly string[])[] {
  const commands = { macos: ["pbcopy"], wayland: ["wl-copy"], x11: ["xclip", "-selection", "clipboard"] };
  return localDisplays(environment, platform).map((display) => commands[display]);
}

/** The displays of this machine with a clipboard; none over SSH, where the user sits elsewhere. */
export function localDisplays(
  environment: Environment,
  platform: NodeJS.Platform,
): readonly ("macos" | "wayland" | "x11")[] {
  const isSet = (name: string): boolean => (environment[name] ?? "") !== "";
  if (isSet("SSH_CONNECTION") || isSet("SSH_TTY")) return [];
  if (platform === "darwin") return ["macos"];
  return [...(isSet("WAYLAND_DISPLAY") ? (["wayland"] as const) : []), ...(isSet("DISPLAY") ? (["x11"] as const) : [])];
}

async function runs([name = "", ...args]: readonly string[], text: string, environment: Environment): Promise<boolean> {
  const path = findProgram(name, { environment, outside: [] });
  if (path === undefined) return false;
  try {
    const child = Bun.spawn([path, ...args], {
      env: { ...environment },
      stdin: new Blob([text]),
      // They stay in the background to serve the text; pipes would stay open as long.
      ...{ stdout: "ignore", stderr: "ignore" },
      timeout: PATIENCE,
    });
    return (await child.exited) === 0;
  } catch {
    return false;
  }
}

export interface ExportContext {
  /** Absolute; absent if no session is kept. */
  readonly dataDir: string | undefined;
  /** The current session's id. */
  readonly current: string;
  /** The current folder, the base of relative names. Absolute. */
  readonly currentDirectory: string;
  /** The user's home folder, for names that start with `~/`. */
  readonly home: string | undefined;
  /** Redacts a text. */
  redact(text: string): string;
}

/**
 * Runs `/export`: writes the session to a new file and returns the answer. The file extension chooses the format; default: Markdown. Throws
 * as `writeNewFile` and `readSession` do.
 */
export function runExport(words: string, context: ExportContext): string {
  const { dataDir, current, redact } = context;
  if (dataDir === undefined) return "This conversation keeps no session, so there is nothing to export.";
  const messages = recordOf(dataDir, current)?.messages ?? [];
  if (messages.length === 0) return "There is nothing to export yet.";
  const path = words === "" ? freeName(context) : resolve(context.currentDirectory, atHome(words, context.home));
  const ending = extname(path).slice(1).toLowerCase();
  const format = EXPORT_FORMATS.includes(ending) ? ending : "md";
  writeNewFile(path, redact(exportText(dataDir, current, format)));
  return `Written: ${plainLine(path)}`;
}

/** Undefined if the session is not on disk yet. */
function recordOf(dataDir: string, id: string): SessionRecord | undefined {
  try {
    return readSession(dataDir, id);
  } catch (error) {
    if (error instanceof UnknownSessionError) return undefined;
    throw error;
  }
}

/** Expands `~`, which no shell does here. */
const atHome = (path: string, home: string | undefined): string =>
  home !== undefined && path.startsWith("~/") ? join(home, path.slice(2)) : path;

/** `SESSION.md`, or with a number appended if that exists. */
function freeName({ current, currentDirectory }: ExportContext): string {
  for (let number = 1; ; number++) {
    const path = join(currentDirectory, `${current}${number === 1 ? "" : `-${number}`}.md`);
    if (!existsSync(path)) return path;
  }
}
