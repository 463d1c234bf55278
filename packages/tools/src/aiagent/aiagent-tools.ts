import { resolve } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import {
  type BuiltinToolContext,
  errorResult,
  type ToolAccess,
  type ToolDirectories,
  type ToolResult,
} from "@mdx-ai/loop";
import { resolveToPermit } from "@mdx-ai/permissions";
import { IGNORED, SECONDS_ALIASES, SHELL_ALIASES } from "../bash.ts";
import { errorText } from "../error-text.ts";
import type { FileMemory } from "../file-memory.ts";
import {
  FOLDER_ALIASES,
  LIST_ALIASES,
  PATH_ALIASES,
  READ_ALIASES,
  TEXT_ALIASES,
  WRITE_ALIASES,
} from "../file-tool-habits.ts";
import type { ListedTool } from "../listed-tool.ts";
import type { ShownFiles } from "../search/search-root.ts";
import type { ShellOptions } from "../shell-run.ts";

/** The limit for each stream of a command, in bytes, and for a file, in characters. */
const STREAM_LIMIT = 204_800;

/** The limit of a result: two streams, where JSON may need six characters for one. */
const RESULT_LIMIT = 12 * STREAM_LIMIT + 1_000;
const DEFAULT_SECONDS = 120;
const MAX_SECONDS = 3_600;

interface AiagentOptions {
  readonly files: FileMemory;
  readonly shownFiles?: ShownFiles | undefined;
  /** Whether a real path may not be read. */
  readonly isHidden?: ((path: string) => boolean) | undefined;
}

const path = { type: "string", description: "Path; a relative one starts at the working directory" };

const accessOf =
  (kind: "read" | "write") =>
  async (args: JsonObject, { cwd }: ToolDirectories): Promise<ToolAccess> => ({
    kind,
    path: resolveToPermit(resolve(cwd, String(args["path"]))),
  });

/** The common part of the builtin tools with the names and results of `aiagent`. */
const listing = { group: "aiagent" } as const;

/** The builtin tool `fs.list`. */
export const fsListTool = ({ shownFiles }: AiagentOptions): ListedTool => ({
  name: "fs.list",
  listing,
  label: { kind: "read", verb: "list" },
  description: "List the names in a folder, as a JSON array in order.",
  parameters: { type: "object", properties: { path }, required: ["path"] },
  aliases: LIST_ALIASES,
  parameterHabits: { names: { path: FOLDER_ALIASES } },
  example: { path: "." },
  effects: "reads",
  access: accessOf("read"),
  execute: orFailure(async (args, context) => (await import("./aiagent-calls.ts")).fsList(args, context, shownFiles)),
});

/** The builtin tool `fs.read`. */
export const fsReadTool = ({ files }: AiagentOptions): ListedTool => ({
  name: "fs.read",
  listing,
  label: { kind: "read", verb: "read" },
  description: "Read a whole UTF-8 text file.",
  parameters: { type: "object", properties: { path }, required: ["path"] },
  aliases: READ_ALIASES,
  parameterHabits: { names: { path: PATH_ALIASES } },
  example: { path: "README.md" },
  effects: "reads",
  outputLimit: STREAM_LIMIT,
  access: accessOf("read"),
  execute: orFailure(async (args, context) => (await import("./aiagent-calls.ts")).fsRead(args, context, files)),
});

/** The builtin tool `fs.write`. */
export const fsWriteTool = ({ files, isHidden }: AiagentOptions): ListedTool => ({
  name: "fs.write",
  listing,
  label: { kind: "write", verb: "write" },
  effects: "writes",
  description: "Write a UTF-8 text file as a whole, replacing its content.",
  parameters: {
    type: "object",
    properties: {
      path,
      content: { type: "string", description: "The whole text" },
      create_dirs: { type: "boolean", default: true, description: "Create missing folders" },
    },
    required: ["path", "content"],
  },
  aliases: WRITE_ALIASES,
  parameterHabits: { names: { path: PATH_ALIASES, content: TEXT_ALIASES } },
  example: { path: "notes.md", content: "text" },
  access: accessOf("write"),
  execute: orFailure(async (args, context) =>
    (await import("./aiagent-calls.ts")).fsWrite(args, context, { files, isHidden }),
  ),
});

/** The builtin tool `shell.exec`. */
export const shellExecTool = ({ environment, sandbox, reaper }: ShellOptions): ListedTool => ({
  name: "shell.exec",
  listing,
  label: { kind: "command", verb: "$" },
  effects: "runs",
  description: `Run a command with /bin/bash -lc. Returns JSON: ok, exit_code, stdout, stderr, truncated. Exit code 124 means a timeout.`,
  parameters: {
    type: "object",
    properties: {
      cmd: { type: "string", description: "The command" },
      timeout_s: {
        type: "integer",
        minimum: 1,
        maximum: MAX_SECONDS,
        default: DEFAULT_SECONDS,
        description: `Seconds until it is killed, at most ${MAX_SECONDS}`,
      },
    },
    required: ["cmd"],
  },
  aliases: SHELL_ALIASES,
  parameterHabits: {
    names: { cmd: ["command", "script"], timeout_s: SECONDS_ALIASES },
    ignored: IGNORED,
    commandLines: ["cmd"],
  },
  seconds: ["timeout_s"],
  example: { cmd: "ls -la", timeout_s: 60 },
  outputLimit: RESULT_LIMIT,
  access: async (args) => ({ kind: "command", command: String(args["cmd"]) }),
  execute: orFailure(async (args, context) =>
    (await import("./aiagent-calls.ts")).shellExec(args, context, {
      environment,
      sandbox,
      reaper,
      limit: STREAM_LIMIT,
    }),
  ),
});

type Execute = (args: JsonObject, context: BuiltinToolContext) => Promise<ToolResult>;

/** Turns an error of a call into the result `{"ok": false, "error": …}`. */
const orFailure =
  (execute: Execute): Execute =>
  async (args, context) => {
    try {
      return await execute(args, context);
    } catch (error) {
      return errorResult(JSON.stringify({ ok: false, error: errorText(error) }));
    }
  };
