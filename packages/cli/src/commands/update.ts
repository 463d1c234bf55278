import {
  completeInstall,
  installAgent,
  type PlannedUpdate,
  planUpdate,
  powerChangeLine,
  readAgentsLock,
  removeTree,
  type Shelf,
} from "@mdx-ai/directory/installing";
import { jsonText, plainLine } from "@mdx-ai/directory/text";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, UsageError } from "../failures/program-error.ts";
import { agree, type Expectation, readExpectation } from "../installing/agreement.ts";
import { chosenShelves, shelfOf } from "../installing/shelf-options.ts";
import { differenceText } from "../testing/test-report.ts";
import { titleOf } from "./add.ts";

/**
 * `mdx-ai update`: fetches what the sources of added agents have now, and shows what that changes: first what they may do, then their prose.
 * An agent that may do the same or less is updated unasked. With `--check`, nothing is updated, and the exit code is 1 if there is an update.
 */
export async function runUpdate(args: ParsedArguments, context: CommandContext): Promise<number> {
  const expectation = readExpectation(args);
  if (expectation.hash !== undefined && args.positionals.length !== 1) {
    throw new UsageError("--expect is the hash of one agent, so name it: mdx-ai update NAME --yes --expect HASH");
  }
  const isCheck = args.switches.has("check");
  const signal = context.interruption.listen();
  const results: UpdateResult[] = [];
  for (const [shelf, name] of wanted(args, context)) {
    results.push(await updateOne(shelf, name, { isCheck, expectation, signal }, context));
  }
  if (args.switches.has("json"))
    context.stdout.write(`${jsonText(results.map(({ exitCode: _, ...result }) => result), 2)}\n`); // biome-ignore format: short
  else if (results.length === 0) context.stderr.write("No agent was added; add one with mdx-ai add SOURCE.\n");
  const codes = results.map(({ exitCode }) => exitCode);
  return codes.find((code) => code > 1) ?? Math.max(0, ...codes);
}

function wanted(args: ParsedArguments, context: CommandContext): readonly (readonly [Shelf, string])[] {
  const [name] = args.positionals;
  if (name !== undefined) return [[shelfOf(name, args, context), name]];
  return chosenShelves(args, context).flatMap((shelf) => [...readAgentsLock(shelf).keys()].map((each) => [shelf, each] as const)); // biome-ignore format: short
}

interface UpdateOptions {
  readonly isCheck: boolean;
  readonly expectation: Expectation;
  readonly signal: AbortSignal;
}

/** What became of one agent, for the output as JSON. */
interface UpdateResult {
  readonly name: string;
  readonly state: "current" | "available" | "updated" | "refused" | "failed";
  readonly exitCode: number;
  /** The hashes of its files. */
  readonly from?: string;
  readonly to?: string;
  /** The hash of the new version's power, which `--expect` takes. */
  readonly hash?: string;
  readonly isMore?: boolean;
  readonly changes?: readonly (NonNullable<PlannedUpdate["difference"]>["power"][number] & { readonly line: string })[];
  readonly prose?: readonly string[];
  readonly reason?: string;
}

async function updateOne(
  shelf: Shelf,
  name: string,
  options: UpdateOptions,
  context: CommandContext,
): Promise<UpdateResult> {
  try {
    const plan = await planUpdate(shelf, name, { frontEnd: context, signal: options.signal });
    try {
      return await applied(shelf, plan, options, context);
    } finally {
      removeTree(plan.staged.folder);
    }
  } catch (error) {
    if (context.interruption.exitCode !== undefined) throw error;
    const { describeFailure } = await import("../failures/describe-failure.ts");
    const { text, exitCode } = await describeFailure(error, false);
    context.stderr.write(text);
    return { name, state: "failed", exitCode, reason: text.trim() };
  }
}

async function applied(
  shelf: Shelf,
  plan: PlannedUpdate,
  { isCheck, expectation, signal }: UpdateOptions,
  context: CommandContext,
): Promise<UpdateResult> {
  const { name, current, staged, difference, moved } = plan;
  const say = (text: string): void => void (expectation.isSilent || context.stdout.write(text));
  if (difference === undefined) {
    if (!isCheck) await completeInstall(shelf, name);
    say(`${plainLine(name)} is up to date\n`);
    return { name, state: "current", exitCode: EXIT_CODE.done };
  }
  const { power, prose } = difference;
  const isMore = difference.isMore || moved !== undefined;
  const facts = {
    ...{ name, from: current.hash, to: staged.locked.hash, hash: staged.power.hash, isMore },
    changes: power.map((change) => ({ ...change, line: powerChangeLine(change) })),
    prose: prose.map(({ file }) => file),
  };
  const lines = changeLines(plan, context);
  say(`${plainLine(titleOf(name, staged.locked))}\n${lines.map((line) => `  ${line}\n`).join("")}`);
  if (isCheck) return { ...facts, state: "available", exitCode: EXIT_CODE.failed };
  if (isMore) {
    const agreement = { title: name, question: `Update ${name}? It may then do more, or something else.`, lines: lines.slice(0, power.length + 1),
      isShown: true, staged }; // biome-ignore format: short
    const refused = await agree(agreement, { ...expectation, signal, retry: ["mdx-ai", "update", name] }, context).then(() => undefined, (error: unknown) => ({ error })); // biome-ignore format: short
    if (refused !== undefined) return await refusal(facts, refused.error, context);
  }
  await installAgent(shelf, name, staged, context);
  say(`Updated: ${plainLine(name)}; to go back: mdx-ai rollback ${name}\n`);
  return { ...facts, state: "updated", exitCode: EXIT_CODE.done };
}

async function refusal(
  facts: Omit<UpdateResult, "state" | "exitCode">,
  error: unknown,
  context: CommandContext,
): Promise<UpdateResult> {
  const { describeFailure } = await import("../failures/describe-failure.ts");
  const { text, exitCode } = await describeFailure(error, false);
  if (exitCode !== EXIT_CODE.untrusted) throw error;
  context.stderr.write(text);
  return { ...facts, state: "refused", exitCode, reason: text.trim() };
}

/** What an update changes, for people: what the agent may do, then its prose. */
function changeLines({ difference, moved }: PlannedUpdate, { paint }: CommandContext): readonly string[] {
  const { power = [], prose = [] } = difference ?? {};
  return [
    ...(moved === undefined ? [] : [plainLine(`~ version ${moved} leads to other files than before`)]),
    ...power.map((change) => paint(change.isMore ? "yellow" : "green", powerChangeLine(change))),
    ...(power.length === 0 ? ["no change of what it may do"] : []),
    ...prose.flatMap(({ file, lines }) => [
      plainLine(file),
      ...lines.map((line) => `  ${differenceText(line, paint)}`.trimEnd()),
    ]),
  ];
}
