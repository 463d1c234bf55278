import { relative } from "node:path";
import { isWithin } from "@mdx-ai/base";
import { plainLine } from "@mdx-ai/directory/text";
import { grouped } from "@mdx-ai/directory/views/figures";
import type { SandboxDescription, SandboxView, ToolSandboxView } from "@mdx-ai/sandbox";
import { columns, homePath, type Row } from "../output/line-layout.ts";
import type { Paint } from "../output/output.ts";

/** The data of the page. */
export type SandboxPage = SandboxDescription & {
  /** The agent directory. Absolute, links resolved. */
  readonly directory: string;
  readonly modules: readonly string[];
};

export interface SandboxTextOptions {
  /** The home folder, if known. */
  readonly home: string | undefined;
  /** Whether long lists are shown in full. */
  readonly isFull: boolean;
  readonly paint: Paint;
}

type Contained = Extract<SandboxPage, { contained: true }>;

/** The page as text. */
export function sandboxText(page: SandboxPage, options: SandboxTextOptions): string {
  const { paint } = options;
  const section = (title: string, rows: readonly Row[]): string =>
    rows.length === 0
      ? ""
      : `\n${paint("bold", title)}\n${columns(rows, paint)
          .map((line) => `  ${line}\n`)
          .join("")}`;
  if (!page.contained) {
    const lines = [
      `Nothing is sandboxed (mode ${page.mode}): ${page.why}`,
      "The shell and the tools have the same access as you; shell commands need your approval.",
    ];
    return lines.map((line) => `${plainLine(line)}\n`).join("");
  }
  return [
    `${plainLine(`${page.directory} is contained by ${page.program}${page.program === "sandbox-exec" ? ", untested" : ""} (mode ${page.mode})`)}\n`,
    section("The shell", shellRows(page, options)),
    section(
      "The tools of agent.mdx",
      page.tools.map((tool) => ({ cells: toolCells(tool, page, options) })),
    ),
    section("Not contained", outsideRows(page)),
  ].join("");
}

function shellRows(page: Contained, options: SandboxTextOptions): readonly Row[] {
  const { shell, workspace } = page;
  const list = (label: string, paths: readonly string[], note = ""): readonly Row[] =>
    listRows(label, shownPaths(paths, page, options), { ...options, note });
  const size = page.privateBytes === undefined ? "" : ` (in memory, ${gibibytes(page.privateBytes / 1024)} together)`;
  return [
    ...(workspace === undefined ? [] : [{ cells: ["workspace", workspace] }]),
    ...list("writes", shell.writable),
    ...list("but not", shell.protected),
    ...list("cannot create", shell.placeholders),
    ...list("writes, its own", shell.private, size),
    { cells: ["reads", "everything else that you can read, except hidden paths"] },
    ...list("hidden", shell.hidden),
    ...list("but shown", shell.shown),
    { cells: ["network", networkText(shell)] },
    ...listRows(
      "keys",
      Object.entries(page.credentials).map((one) => `${one[0]} (${one[1]})`),
      { ...options, note: "" },
    ),
    ...listRows("you opened", grantedTexts(page, options), { ...options, note: "" }),
    { cells: ["limits", limitsText(shell, page)] },
  ];
}

/** What the user's "always" answers grant. */
function grantedTexts(page: Contained, options: SandboxTextOptions): readonly string[] {
  const texts = page.granted.map((access) => {
    if (access.kind === "outside") return "all: commands that you allowed";
    if (access.kind === "host") return `reach ${access.host}`;
    return `${access.kind} ${shownPaths([access.path], page, options).join("")}`;
  });
  return [...new Set(texts)];
}

interface ListOptions extends SandboxTextOptions {
  readonly note: string;
}

/** Longer lists are cut and end with the number of hidden entries. */
const MAX_SHOWN = 6;

function listRows(label: string, items: readonly string[], { isFull, note }: ListOptions): readonly Row[] {
  if (items.length === 0) return [];
  if (isFull)
    return items.map((item, index) => ({ cells: [index === 0 ? label : "", `${item}${index === 0 ? note : ""}`] }));
  const rest = items.length - MAX_SHOWN;
  const text = items.slice(0, MAX_SHOWN).join(", ");
  return [{ cells: [label, `${text}${rest > 0 ? ` and ${grouped(rest)} more (--all)` : ""}${note}`] }];
}

function toolCells(tool: ToolSandboxView, page: Contained, options: SandboxTextOptions): readonly string[] {
  return [tool.name, `network: ${networkText(tool)}`, filesText(tool, page, options), limitsText(tool)];
}

function filesText({ files, hidden }: ToolSandboxView, page: Contained, options: SandboxTextOptions): string {
  if (files !== undefined) {
    const parts = [["reads", files.read] as const, ["writes", files.write] as const];
    const named = parts
      .filter(([, patterns]) => patterns.length > 0)
      .map(([verb, patterns]) => `${verb} ${patterns.join(", ")}`);
    return `files: ${named.join("; ") || "none"}`;
  }
  const readable = page.shell.hidden.filter((path) => !hidden.includes(path));
  const more = shownPaths(readable, page, options);
  return `files: as the shell${more.length === 0 ? "" : `, and reads ${more.join(", ")}`}`;
}

function outsideRows({ modules }: Contained): readonly Row[] {
  const named = modules.length === 0 ? [] : [{ cells: ["modules", modules.join(", ")] }];
  return [...named, { cells: ["other builtin tools", "your permissions apply to each file"] }];
}

function networkText({ network }: SandboxView): string {
  if (network === "all") return "everything that you can reach";
  return network.length === 0 ? "none" : network.join(", ");
}

function limitsText({ kibibytes, seconds }: SandboxView, page?: Contained): string {
  const processes = page?.processes;
  return [
    ...(kibibytes === undefined ? [] : [`${gibibytes(kibibytes)} of data a process`]),
    ...(processes === undefined ? [] : [`${grouped(processes)} processes (each sandbox)`]),
    `${seconds} s a call`,
  ].join(", ");
}

const gibibytes = (kibibytes: number): string => `${kibibytes / 1_048_576} GiB`;

/**
 * Sorts and shortens paths: relative to the workspace, then the agent directory, then the home folder, if they are inside one. These come
 * before system paths, since they matter most.
 */
function shownPaths(
  paths: readonly string[],
  { directory, workspace = directory }: Contained,
  { home }: SandboxTextOptions,
): readonly string[] {
  const own: string[] = [];
  const ofHome: string[] = [];
  const others: string[] = [];
  for (const path of paths) {
    const short = homePath(path, home);
    if (path === directory) own.push("the agent directory");
    else if (isWithin(workspace, path)) own.push(relative(workspace, path) || "the workspace");
    else if (short !== undefined) ofHome.push(short);
    else others.push(path);
  }
  return [...own, ...ofHome, ...others];
}
