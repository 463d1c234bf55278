import { constants } from "node:os";
import type { JsonObject } from "@mdx-ai/models";
import type { BuiltinToolContext, ToolResult } from "../../types/tool.ts";
import { type OpenedEnd, runOpened } from "../opened-shell.ts";
import type { ShellOptions } from "../shell-run.ts";
import { jsonResult, orFailure } from "./failure.ts";
import { STREAM_LIMIT } from "./stream-limit.ts";

/** What `timeout` of coreutils ends with. */
const TIMED_OUT = 124;

/** Runs a command; one that fails is a result with `"ok": false`, no error. Never rejects. */
export const shellExec = (
  args: JsonObject,
  context: BuiltinToolContext,
  options: ShellOptions,
): Promise<ToolResult | string> =>
  orFailure(async () => {
    const seconds = Number(args["timeout_s"] ?? 120);
    const command = String(args["cmd"]);
    const end = await runOpened({ ...options, command, cwd: context.cwd, seconds, separate: STREAM_LIMIT }, context);
    return jsonResult({ ok: exitCodeOf(end) === 0, ...streamsOf(end, seconds) });
  });

function streamsOf(end: OpenedEnd, seconds: number): JsonObject {
  const { output, errors, note, refused, timedOut } = end;
  const notes = [
    ...(timedOut ? [`[timed out after ${seconds} seconds]`] : []),
    ...(note === "" ? [] : [note]),
    ...(refused === undefined ? [] : [`[${refused}]`]),
  ];
  const stderr = errors?.text(STREAM_LIMIT) ?? "";
  return {
    exit_code: exitCodeOf(end),
    stdout: output.text(STREAM_LIMIT),
    stderr: [...(stderr === "" ? [] : [stderr.replace(/\n$/, notes.length === 0 ? "\n" : "")]), ...notes].join("\n"),
    truncated: !timedOut && [output, errors].some((stream) => (stream?.characters ?? 0) > STREAM_LIMIT),
  };
}

/** As a shell reports it. */
function exitCodeOf({ timedOut, shell: { exitCode, signalCode } }: OpenedEnd): number {
  if (timedOut) return TIMED_OUT;
  if (exitCode !== null) return exitCode;
  const signal = Object.entries(constants.signals).find(([name]) => name === signalCode)?.[1];
  return 128 + (signal ?? 0);
}
