import { shellCommands } from "./shell-commands.ts";

/** Programs that do very different things by their subcommand: a prefix names it, too. */
const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set(
  "apt aws brew bun bunx cargo composer deno docker dotnet flutter gcloud gh git go gradle helm hg just kubectl make mvn npm npx pip pip3 pnpm podman poetry rake rustup svn systemctl task terraform uv yarn".split(
    " ",
  ),
);

/** Subcommands that run what the next word names: a prefix names that, too. */
const RUNNING: ReadonlySet<string> = new Set("dlx exec run run-script x".split(" "));

/** Programs that run whatever their arguments say: a prefix would allow everything. */
const OPEN_ENDED: ReadonlySet<string> = new Set(
  "ash awk bash builtin busybox chroot command csh dash doas docker-compose env eval exec expect find fish gawk ionice irb ksh lua mksh nice node nohup osascript parallel perl php pry python python2 python3 rbash ruby runuser script sed setsid sh source ssh stdbuf strace su sudo tclsh tcsh time timeout trap tsx watch xargs yash zsh".split(
    " ",
  ),
);

/** A word that a shell and a pattern take as it is: no path, no option, no quotes. */
const NAME = /^[A-Za-z][\w.:@+-]*$/;

/**
 * The first words of a command, which an approval of all such commands names: its program, or program and subcommand.
 * Undefined for anything but one simple command that a prefix says enough about.
 */
export function commandPrefix(text: string): string | undefined {
  const { isPlain, commands } = shellCommands(text);
  const [command] = commands;
  // Joined commands, and one that runs in the background, have other texts.
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
