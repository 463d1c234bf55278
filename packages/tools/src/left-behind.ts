import { readdirSync, readFileSync } from "node:fs";
import { attempt } from "@mdx-ai/base";
import { headOf } from "@mdx-ai/loop";
import { killGroup } from "@mdx-ai/mcp/reaper";

/** How long a process that ends by itself may take, in milliseconds. */
const GRACE = 50;

/** The most programs that a line names, and the most characters of each. */
const MAX_NAMED = 3;
const MAX_LENGTH = 100;

/** A line in brackets that names the programs that a command left behind, which have ended; "" if there are none. */
export function leftNote(programs: readonly string[]): string {
  if (programs.length === 0) return "";
  const more = programs.length - MAX_NAMED;
  const named = programs.slice(0, MAX_NAMED).map((program) => headOf(program.trim(), MAX_LENGTH));
  return `[ended with the command, which left it running: ${named.join("; ")}${more > 0 ? `; and ${more} more` : ""}]`;
}

/** The lines of a stream, those with this start apart and without it. Resolves when the stream is closed. */
export async function linesOf(
  stream: ReadableStream<Uint8Array>,
  mark: string | undefined,
): Promise<{ readonly marked: readonly string[]; readonly others: readonly string[] }> {
  const lines = (await new Response(stream).text()).split("\n");
  const isMarked = (line: string): boolean => mark !== undefined && line.startsWith(mark);
  return {
    marked: lines.filter(isMarked).map((line) => line.slice(mark?.length)),
    others: lines.filter((line) => !isMarked(line)).map((line) => headOf(line, 2 * MAX_LENGTH)),
  };
}

/**
 * Ends what a command without a sandbox left running in its process group, and returns the programs. `leader` was the command.
 * Processes that began a group of their own, as daemons do, are not found.
 */
export async function endLeftBehind(leader: number): Promise<readonly string[]> {
  if (!isGroup(leader)) return [];
  await Bun.sleep(GRACE);
  const programs = process.platform === "linux" ? programsOf(leader) : isGroup(leader) ? ["a program"] : [];
  killGroup(leader);
  return programs;
}

const isGroup = (leader: number): boolean => attempt(() => process.kill(-leader, 0)) ?? false;

/** The running programs of a process group, as their command lines. */
function programsOf(group: number): readonly string[] {
  const pids = (attempt(() => readdirSync("/proc")) ?? []).filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "";
    // The name before the last bracket may contain anything.
    const [state, , ofGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(ofGroup) !== group || state === "Z") return [];
    const words = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";
    return words === "" ? [] : [words.replaceAll(/[\0\n]/g, " ")];
  });
}
