import type { ParsedArguments } from "../arguments/command-spec.ts";
import { type CommandAction, calledAction } from "../arguments/parse-arguments.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE } from "../failures/program-error.ts";
import { addToMemory, forgetMemory, importMemory } from "../memory/change-memory.ts";
import { exportMemory, listMemory, searchMemory, showMemory, verifyMemory } from "../memory/look-up.ts";
import type { MemoryRun } from "../memory/memory-run.ts";

const NAMES = ["vault", "memory"];

const ACTIONS: ReadonlyMap<string, CommandAction<MemoryRun>> = new Map([
  ["list", { words: [], options: ["limit", "json", "source", ...NAMES], run: listMemory }],
  ["search", { words: ["TEXT"], options: ["limit", "json", ...NAMES], run: searchMemory }],
  ["add", { words: ["TEXT"], options: ["speaker", "date", "session", "source", ...NAMES], run: addToMemory }],
  ["show", { words: ["ID"], options: ["json", ...NAMES], run: showMemory }],
  ["forget", { words: ["[ID…]"], options: ["source", ...NAMES], run: forgetMemory }],
  ["export", { words: [], options: NAMES, run: exportMemory }],
  ["import", { words: ["FILE"], options: NAMES, run: importMemory }],
  ["verify", { words: [], options: ["json"], run: verifyMemory }],
  ["serve", { words: [], options: [], run: serve }],
]);

/** `mdx-ai memory`: shows and changes what an agent remembers. Runs no code of the directory. */
export async function runMemory(args: ParsedArguments, context: CommandContext): Promise<number> {
  const [directory = ".", name = "list", ...words] = args.positionals;
  const action = calledAction(ACTIONS, { command: "memory", name, words, args });
  const exitCode = await action.run({ directory, words, args, context });
  return context.interruption.exitCode ?? exitCode ?? EXIT_CODE.done;
}

/** Loaded on demand, because the protocol is large. */
async function serve(run: MemoryRun): Promise<void> {
  const { serveMemory } = await import("../memory/serve-memory.ts");
  await serveMemory(run);
}
