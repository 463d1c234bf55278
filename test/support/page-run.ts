import { join } from "node:path";
import { runLines } from "./run-lines.ts";

/** What a page of documentation shows, in its order. */
type PageStep =
  /** A block after a line that ends in "`path`:". */
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  /** A block of `sh`. `output` is the block of `text` behind it: parts between "…", in their order. */
  | { readonly kind: "commands"; readonly lines: string; readonly exitCode: number; readonly output: readonly string[] }
  /** A block after `<!-- not run: REASON -->`. */
  | { readonly kind: "skipped"; readonly reason: string }
  /** A block that is neither a file nor run. */
  | { readonly kind: "other"; readonly language: string; readonly text: string };

const BLOCK = /(?:^([^\n]*)\n\n?)?^(`{3,})(\w+)\n(.*?)^\2$/gms;

/** The blocks of a page. Before a block, `<!-- exit N -->` says with what its commands end. */
export function pageSteps(markdown: string): readonly PageStep[] {
  const steps: PageStep[] = [];
  for (const [, before = "", , language = "", text = ""] of markdown.matchAll(BLOCK)) {
    const path = /`([^`\s]+\.\w+)`[^`]*:$/.exec(before)?.[1];
    const reason = /<!-- not run: (.+) -->$/.exec(before)?.[1];
    const last = steps.at(-1);
    if (reason !== undefined) steps.push({ kind: "skipped", reason });
    else if (language === "sh") steps.push({ kind: "commands", lines: text, exitCode: exitCodeIn(before), output: [] });
    else if (language === "text" && last?.kind === "commands")
      steps[steps.length - 1] = { ...last, output: partsOf(text) };
    else if (path === undefined) steps.push({ kind: "other", language, text });
    else steps.push({ kind: "file", path, text });
  }
  return steps;
}

const exitCodeIn = (before: string): number => Number(/<!-- exit (\d+) -->$/.exec(before)?.[1] ?? 0);

const partsOf = (text: string): readonly string[] =>
  text
    .split(/\s*…\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** Does what a reader of the page does, in an empty folder. Throws an error that shows the first block that does otherwise. */
export async function followPage(markdown: string, home: string): Promise<void> {
  for (const step of pageSteps(markdown)) {
    if (step.kind === "file") await Bun.write(join(home, step.path), step.text);
    if (step.kind !== "commands") continue;
    const { exitCode, stdout, stderr } = await runLines(step.lines, home);
    const output = `${stdout}${stderr}`;
    let rest = output;
    const missing = step.output.find((part) => {
      const index = rest.indexOf(part);
      rest = rest.slice(index + part.length);
      return index < 0;
    });
    if (exitCode === step.exitCode && missing === undefined) continue;
    const wrong = missing === undefined ? `exit code ${exitCode}` : `no ${JSON.stringify(missing)}`;
    throw new Error(`${wrong} in the output of\n${step.lines}\n${output}\n(in ${home})`);
  }
}
