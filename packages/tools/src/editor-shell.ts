import { secondsText, whenAborted } from "@mdx-ai/base";
import { type BuiltinToolContext, OUTPUT_LIMIT, type ToolResult, textResult } from "@mdx-ai/loop";
import { shellProgram } from "./shell-run.ts";
import type { EditorCommandEnd, UserEditor } from "./user-editor.ts";

/** The most bytes of output that an editor keeps of a command. */
const MAX_BYTES = 4 * OUTPUT_LIMIT;

/** Programs write plain text and start no pager. */
const PLAIN_OUTPUT = { NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", TERM: "dumb" };

/** Runs a shell command in a terminal of the editor, outside of any sandbox. Rejects if it does not start. */
export async function runInEditor(
  run: NonNullable<UserEditor["runCommand"]>,
  { command, seconds }: { readonly command: string; readonly seconds: number },
  { cwd, callId, signal }: Pick<BuiltinToolContext, "cwd" | "callId" | "signal">,
): Promise<ToolResult> {
  const stop = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    stop.abort();
  }, seconds * 1000);
  using _stopped = whenAborted(signal, () => stop.abort());
  try {
    const end = await run({
      ...{ callId, cwd, words: [shellProgram(), "-c", command], environment: PLAIN_OUTPUT },
      ...{ outputBytes: MAX_BYTES, signal: stop.signal },
    });
    return resultOf(end, isLate ? `killed: it timed out after ${secondsText(seconds)}` : undefined);
  } finally {
    clearTimeout(timer);
  }
}

function resultOf({ output, isTruncated, exitCode, signal }: EditorCommandEnd, killed: string | undefined): ToolResult {
  const problem = killed ?? problemOf(exitCode, signal);
  const notices = [
    ...(isTruncated || output.length > OUTPUT_LIMIT ? ["[the beginning of the output is left out]"] : []),
    ...(problem === undefined ? [] : [`[${problem}]`]),
  ];
  const shown = output.slice(-OUTPUT_LIMIT + 200).replace(/\n$/, "");
  const text = [shown, ...notices].filter((part) => part !== "").join("\n");
  return {
    ...textResult(text || "[no output]"),
    ...(problem !== undefined && { isError: true }),
    details: { exitCode, signal, timedOut: killed !== undefined, truncated: isTruncated },
  };
}

function problemOf(exitCode: number | null, signal: string | null): string | undefined {
  if (signal !== null) return `ended by signal ${signal}`;
  return exitCode === 0 || exitCode === null ? undefined : `exit code ${exitCode}`;
}
