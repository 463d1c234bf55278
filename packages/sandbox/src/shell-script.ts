/** The descriptor of the script of an attached process. */
export const SCRIPT = 3;

/** A command for a waiting shell of a sandbox. */
export interface ShellScript {
  /** Lines of shell that set the limits of the command. */
  readonly limits: string;
  /** Absolute. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** For standard input, which is empty without it. Not for inherited streams. */
  readonly input?: string | undefined;
  /** Standard error merged into the output in order, or separate; or the streams of the shell. */
  readonly streams: "merged" | "separate" | "inherited";
  /** The start of the lines, on the standard error of the shell, that name the processes that a merged command leaves behind. */
  readonly leftMark?: string | undefined;
}

/** A variable name that a shell can export and does not reserve. */
const EXPORTABLE = /^(?!(?:UID|EUID|PPID|GROUPS|SHELLOPTS|BASHOPTS|OPTIND|IFS|PS4|ENV|BASH_ENV)$|BASH_)[A-Za-z_]\w*$/;

const REDIRECTIONS = { merged: " </dev/null 2>&1", separate: " </dev/null", inherited: "" } as const;

/** A shell script that becomes a command. */
export function shellScript({ limits, cwd, environment, command, streams, leftMark, input }: ShellScript): string {
  const variables = Object.entries(environment);
  const exports = variables.filter(([name]) => EXPORTABLE.test(name)).map(([name, value]) => assignment(name, value));
  const others = variables.filter(([name]) => !EXPORTABLE.test(name)).map(([name, value]) => `${name}=${value}`);
  const words = others.length === 0 ? command : ["env", "--", ...others, ...command];
  const line = `exec ${words.map(shellQuoted).join(" ")}${REDIRECTIONS[streams]}${inputText(input)}`;
  return [
    limits,
    ...exports.map((text) => `export ${text}`),
    `cd ${shellQuoted(cwd)} || exit 126`,
    leftMark === undefined ? line : reporting(line, leftMark),
    "",
  ].join("\n");
}

/** The redirection of the input, and the input. */
function inputText(input: string | undefined): string {
  if (input === undefined) return "";
  const end = `end-${crypto.randomUUID()}`;
  return ` <<'${end}'\n${input}\n${end}`;
}

/**
 * Lines of shell that run a line, and then name the other processes of the process namespace, which end with this shell. A process
 * that is about to end gets a moment. The shell reads all lines before it runs the first, and does not report a signal itself.
 */
const reporting = (line: string, mark: string): string => `{
exec 5>&2 2>/dev/null
(${line} 5>&-)
code=$?
left() {
  found=
  for path in /proc/[0-9]*; do
    pid=\${path#/proc/} words=
    [ "$pid" = 1 ] || [ "$pid" = $$ ] || {
      IFS= read -r words <"$path/cmdline"
      if [ -z "$words" ]; then
        IFS= read -r words <"$path/stat"
        case "\${words##*) }" in [ZX]*) words= ;; esac
      fi
      [ -z "$words" ] || found="$found $pid"
    }
  done
  [ -n "$found" ]
}
if left && sleep 0.05 && left; then
  for pid in $found; do
    words=$(tr '\\0\\n' '  ' <"/proc/$pid/cmdline") && printf '%s\\n' ${shellQuoted(mark)}"$words" >&5
  done
fi
exit $code
}`;

const assignment = (name: string, value: string): string => `${name}=${shellQuoted(value)}`;

/** The text quoted as one word of a shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
