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
  /** No input, and standard error merged into the output in order, or separate; or the streams of the shell. */
  readonly streams: "merged" | "separate" | "inherited";
}

/** A variable name that a shell can export and does not reserve. */
const EXPORTABLE = /^(?!(?:UID|EUID|PPID|GROUPS|SHELLOPTS|BASHOPTS|OPTIND|IFS|PS4|ENV|BASH_ENV)$|BASH_)[A-Za-z_]\w*$/;

const REDIRECTIONS = { merged: " </dev/null 2>&1", separate: " </dev/null", inherited: "" } as const;

/** A shell script that becomes a command. */
export function shellScript({ limits, cwd, environment, command, streams }: ShellScript): string {
  const variables = Object.entries(environment);
  const exports = variables.filter(([name]) => EXPORTABLE.test(name)).map(([name, value]) => assignment(name, value));
  const others = variables.filter(([name]) => !EXPORTABLE.test(name)).map(([name, value]) => `${name}=${value}`);
  const words = others.length === 0 ? command : ["env", "--", ...others, ...command];
  return [
    limits,
    ...exports.map((text) => `export ${text}`),
    `cd ${shellQuoted(cwd)} || exit 126`,
    `exec ${words.map(shellQuoted).join(" ")}${REDIRECTIONS[streams]}`,
    "",
  ].join("\n");
}

const assignment = (name: string, value: string): string => `${name}=${shellQuoted(value)}`;

/** The text quoted as one word of a shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
