import { join } from "node:path";
import { defined } from "@mdx-ai/base";
import { type PageReply, pageModels } from "./page-models.ts";
import { runLines, terminalOf, typeLines } from "./run-lines.ts";

/** What a page of documentation shows, in its order. */
type PageStep =
  /** A block after a line that ends in "`path`:". */
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  /** A block of `sh`. `output` is the block of `text` behind it: parts between "…", in their order. */
  | {
      readonly kind: "commands";
      readonly lines: string;
      readonly notes: BlockNotes;
      readonly output: readonly string[];
    }
  /** A block after `<!-- not run: REASON -->`. */
  | { readonly kind: "skipped"; readonly reason: string }
  /** A block that is neither a file nor run. */
  | { readonly kind: "other"; readonly language: string; readonly text: string };

/** What the comments before a block say, which readers do not see. */
interface BlockNotes {
  /** `<!-- exit N -->`: with what its commands end. */
  readonly exitCode: number;
  /** `<!-- the model says: TEXT -->` and `<!-- the model calls: TOOL {…} -->`: the answers to the requests of the block. */
  readonly replies: readonly PageReply[];
  /** `<!-- on the terminal: SHOWN | TYPED -->`: where the terminal shows the one, the reader types the other and Enter, or presses `Ctrl+C`. */
  readonly typed: readonly (readonly [shown: string, typed: string])[];
  /** `<!-- runs on: TEXT -->`: the commands run until the end of the page; the next block waits until they show the text. */
  readonly runsOn?: string;
}

const BLOCK = /(?:^([^\n]*)\n\n?)?((?:^<!-- [^\n]* -->\n)*)^(`{3,})(\w+)\n(.*?)^\3$/gms;

/** The blocks of a page. */
export function pageSteps(markdown: string): readonly PageStep[] {
  const steps: PageStep[] = [];
  for (const [, before = "", comments = "", , language = "", text = ""] of markdown.matchAll(BLOCK)) {
    const path = /`([^`\s]+\.\w+)`[^`]*:$/.exec(before)?.[1];
    const reason = /<!-- not run: (.+) -->/.exec(before + comments)?.[1];
    const last = steps.at(-1);
    if (reason !== undefined) steps.push({ kind: "skipped", reason });
    else if (language === "sh")
      steps.push({ kind: "commands", lines: text, notes: notesIn(`${before}\n${comments}`), output: [] });
    else if (language === "text" && last?.kind === "commands")
      steps[steps.length - 1] = { ...last, output: partsOf(text) };
    else if (path === undefined) steps.push({ kind: "other", language, text });
    else steps.push({ kind: "file", path, text });
  }
  return steps;
}

const notesIn = (comments: string): BlockNotes => ({
  exitCode: Number(/<!-- exit (\d+) -->/.exec(comments)?.[1] ?? 0),
  replies: [...comments.matchAll(/^<!-- the model (says|calls): (.+) -->$/gm)].map(([, kind, text = ""]) => {
    const [, tool = "", json = "{}"] = /^(\S+) (.+)$/.exec(text) ?? [];
    return kind === "says" ? { text } : { tool, input: JSON.parse(json) };
  }),
  typed: [...comments.matchAll(/^<!-- on the terminal: (.*?) \| (.*?) -->$/gm)].map(([, shown = "", typed = ""]) => [
    shown,
    typed,
  ]),
  ...defined({ runsOn: /^<!-- runs on: (.*?) -->$/m.exec(comments)?.[1] }),
});

const partsOf = (text: string): readonly string[] =>
  text
    .split(/\s*…\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/**
 * Does what a reader of the page does, in their home folder and with their variables. Throws an error that shows the first block that does
 * otherwise.
 */
export async function followPage(
  markdown: string,
  home: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<void> {
  await using background = new AsyncDisposableStack();
  for (const step of pageSteps(markdown)) {
    if (step.kind === "file") await Bun.write(join(home, step.path.replace(/^~\//, "")), step.text);
    if (step.kind !== "commands") continue;
    const { runsOn } = step.notes;
    if (runsOn === undefined) await runStep(step, home, variables);
    else await background.use(terminalOf(step.lines, home)).shows(runsOn);
  }
}

/** Throws an error that shows the block if it does otherwise than the page says. */
async function runStep(
  { lines, notes, output: expected }: Extract<PageStep, { kind: "commands" }>,
  home: string,
  variables: Readonly<Record<string, string>>,
): Promise<void> {
  const { exitCode, replies, typed } = notes;
  using models = pageModels(replies);
  const shell = { environment: { ...variables, ...models.environment }, keepsState: true };
  const run =
    typed.length === 0 ? await runLines(lines, home, shell) : await typeLines(lines, typed, { home, ...shell });
  const output = `${run.stdout}${run.stderr}`;
  const missing = missingPart(expected, output);
  const problems = [
    ...(run.exitCode === exitCode ? [] : [`exit code ${run.exitCode}`]),
    ...(missing === undefined ? [] : [`no ${JSON.stringify(missing)}`]),
    ...(models.unasked === 0 ? [] : [`${models.unasked} answers of the model were not asked for`]),
  ];
  if (problems.length > 0)
    throw new Error(`${problems.join(", ")} in the output of\n${lines}\n${output}\n(in ${home})`);
}

/** The first part that is not in the output behind those before it. */
function missingPart(parts: readonly string[], output: string): string | undefined {
  let rest = output;
  return parts.find((part) => {
    const index = rest.indexOf(part);
    rest = rest.slice(index + part.length);
    return index < 0;
  });
}
