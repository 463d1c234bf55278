import { shellCommands } from "./shell-commands.ts";

/** Programs whose subcommands differ widely, so a prefix includes the subcommand. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
  "apt aws brew bun bunx cargo composer deno docker dotnet flutter gcloud gh git go gradle helm hg just kubectl make mvn npm npx pip pip3 pnpm podman poetry rake rustup svn systemctl task terraform uv yarn".split(
    " ",
  ),
);

/** Subcommands that run the next word, so a prefix includes that word. */
const RUNNING: ReadonlySet<string> = new Set("dlx exec run run-script x".split(" "));

/** Programs that can run any command: a prefix would allow everything. */
const OPEN_ENDED: ReadonlySet<string> = new Set(
  "ash awk bash builtin busybox chroot command csh dash doas docker-compose env eval exec expect find fish gawk ionice irb ksh lua mksh nice node nohup osascript parallel perl php pry python python2 python3 rbash ruby runuser script sed setsid sh source ssh stdbuf strace su sudo tclsh tcsh time timeout trap tsx watch xargs yash zsh".split(
    " ",
  ),
);

/** A word without special characters of a shell or a pattern, and neither a path nor an option. */
const NAME = /^[A-Za-z][\w.:@+-]*$/;

/**
 * The first words of a command, for an approval of all commands that begin with them: the program, or program and subcommand.
 * Undefined unless the text is one simple command whose prefix is specific enough.
 */
export function commandPrefix(text: string): string | undefined {
  const { isPlain, commands } = shellCommands(text);
  const [command] = commands;
  // Joined and background commands have a text that differs from the command's.
  if (!isPlain || command === undefined || command.text !== text.trim()) return undefined;
  const words = command.plain.split(/[ \t]+/);
  const named = words.slice(0, prefixLength(words));
  const isNamed = named.every((word) => NAME.test(word) && !OPEN_ENDED.has(word));
  return isNamed && named.length === prefixLength(words) ? named.join(" ") : undefined;
}

function prefixLength([program = "", subcommand = ""]: readonly string[]): number {
  if (!WITH_SUBCOMMANDS.has(program)) return 1;
  return RUNNING.has(subcommand) ? 3 : 2;
}
