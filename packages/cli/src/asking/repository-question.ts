import { lineText, shellWord, visibleText } from "@mdx-ai/base";
import {
  changeLine,
  joinRepository,
  keepRepositoryTrust,
  type ReadDirectory,
  type RepositoryParts,
  type RepositoryTrust,
  type RunOptions,
  readRepositoryParts,
  repositoryTrust,
  workspaceOf,
} from "@mdx-ai/directory";
import type { CommandContext } from "../command-context.ts";
import { slashCommands } from "../terminal/slash-command-table.ts";
import { chooseAnswer } from "./choose-answer.ts";

interface Run {
  readonly options: RunOptions;
  readonly directory: ReadDirectory;
}

/** A run with the skills that a repository adds. */
interface JoinedRun extends Run {
  readonly moreSkills: RepositoryParts["skills"];
}

/** How the user is asked; absent: only an earlier answer counts. */
interface Asking {
  readonly signal: AbortSignal;
  readonly isPlain: boolean;
}

/**
 * Adds the skills, commands and MCP servers that the repository of the workspace holds, if the user agrees or has agreed to its current
 * state.
 */
export async function withRepository(run: Run, context: CommandContext, asking?: Asking): Promise<JoinedRun> {
  const workspace = workspaceOf(run.options, run.directory);
  const found = workspace === undefined ? undefined : await readRepositoryParts(workspace.real, context);
  if (found === undefined || !(await isAgreed(found, context, asking))) return { ...run, moreSkills: [] };
  const parts = { ...found, skills: found.skills.map(besideCommands) };
  return { ...joinRepository(run, parts), moreSkills: parts.skills };
}

/** A command with the name of one of the terminal's is called as a skill. */
function besideCommands(skill: RepositoryParts["skills"][number]): RepositoryParts["skills"][number] {
  const { isCommand, ...rest } = skill;
  return isCommand === true && slashCommands.some(({ name }) => name === `/${skill.name}`) ? rest : skill;
}

type Answer = "no" | "once" | "always";

async function isAgreed(parts: RepositoryParts, context: CommandContext, asking?: Asking): Promise<boolean> {
  const trust = repositoryTrust(parts, context);
  if (trust.answer !== undefined) return trust.answer === "yes";
  if (asking === undefined || !context.canAsk) {
    if (trust.changes.length > 0) context.onNotice({ type: "warning", text: notUsed(parts.root) });
    return false;
  }
  const answer = await chooseAnswer<Answer>(
    { path: parts.root, note: noteText(parts, trust), question: questionOf(trust), answers: answersOf(trust) },
    context,
    asking,
  );
  if (answer !== "once") await keepRepositoryTrust(parts, answer === "no" ? "no" : "yes", context);
  return answer !== "no";
}

const notUsed = (root: string): string =>
  `what this repository holds for agents has changed since you agreed, and is not used; to agree again: mdx-ai trust ${shellWord(root)}`;

const questionOf = ({ changes }: RepositoryTrust): string =>
  changes.length > 0
    ? "What this repository holds for agents has changed. Use it in conversations here?"
    : "This repository holds parts for agents. Use them in conversations here?";

const answersOf = ({ canKeep }: RepositoryTrust): readonly { readonly value: Answer; readonly label: string }[] => [
  { value: "no", label: canKeep ? "No, and do not ask again until they change" : "No" },
  { value: "once", label: "Yes, this once" },
  ...(canKeep ? [{ value: "always" as const, label: "Yes, from now on, until they change" }] : []),
];

function noteText({ skills, mcp }: RepositoryParts, { changes }: RepositoryTrust): string {
  const names = (isCommand: boolean): readonly string[] =>
    skills.filter((skill) => (skill.isCommand === true) === isCommand).map(({ name }) => name);
  const parts = [
    listed("skills", names(false)),
    listed(
      "commands",
      names(true).map((name) => `/${name}`),
    ),
    ...serverLines(mcp?.entries ?? []),
  ];
  const changed = changes.length === 0 ? [] : ["Since you agreed:", ...changes.map(changeLine)];
  return [...parts.flat(), ...changed].join("\n");
}

/** Names that are shown, and the characters of each and of a value. */
const MAX_SHOWN = 12;
const MAX_NAME = 64;
const MAX_VALUE = 400;

/** The servers, and what each of them runs. */
function serverLines(entries: RepositoryParts["entries"]): readonly (readonly string[])[] {
  const servers = [...Map.groupBy(entries, ({ item = "" }) => item)];
  const details = servers.slice(0, MAX_SHOWN).map(([name, ofServer]) => {
    const aspects = ofServer.map(({ aspect, value }) => boundedLine(`${aspect} ${String(value)}`, MAX_VALUE));
    return `  ${name}: ${aspects.join("; ")}`;
  });
  return [
    listed(
      "MCP servers, which run programs as you",
      servers.map(([name]) => name),
    ),
    details,
  ];
}

/** Quoted if it could pass for more than a name. */
const nameText = (name: string): string =>
  boundedLine(/^(?:[\p{L}\p{N}_./@ -]|:(?! ))+$/u.test(name) ? name : JSON.stringify(name), MAX_NAME);

/** A text on one line; says how much of it is left out. */
function boundedLine(text: string, most: number): string {
  const line = lineText(visibleText(text));
  return line.length <= most ? line : `${line.slice(0, most)}… (${line.length - most} more characters)`;
}

function listed(what: string, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [];
  const more = names.length - MAX_SHOWN;
  const shown = names.slice(0, MAX_SHOWN).map(nameText).join(", ");
  return [`${what}: ${shown}${more > 0 ? ` and ${more} more` : ""}`];
}
