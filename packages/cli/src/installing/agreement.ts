import { shellWord } from "@mdx-ai/base";
import type { StagedAgent } from "@mdx-ai/directory/installing";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import type { CommandContext } from "../command-context.ts";
import { EXIT_CODE, ProgramError, UsageError } from "../failures/program-error.ts";

/** What the command line says about an agent's power. */
export interface Expectation {
  /** `sha256:…` of the power or of the files that the user has agreed to. */
  readonly hash?: string;
  /** Whether the terminal is not asked: for the output as JSON. */
  readonly isSilent: boolean;
}

/** Reads `--yes` and `--expect`. Throws `UsageError`. */
export function readExpectation({ switches, values }: ParsedArguments): Expectation {
  const hash = values.get("expect");
  if (hash === undefined && switches.has("yes")) {
    throw new UsageError(
      "--yes needs --expect sha256:…, the hash of what you agree to; without --yes, it is printed and nothing new is agreed to",
    );
  }
  if (hash !== undefined && !/^sha256:[0-9a-f]{64}$/.test(hash)) {
    throw new UsageError("--expect takes a hash: sha256: and 64 hexadecimal digits");
  }
  return { ...(hash !== undefined && { hash }), isSilent: switches.has("json") };
}

/** What is asked about one agent. */
export interface Agreement {
  /** The agent, as a heading. */
  readonly title: string;
  readonly question: string;
  /** What it may do, or what changes. */
  readonly lines: readonly string[];
  /** Whether the output shows the lines already. */
  readonly isShown?: boolean;
  readonly staged: StagedAgent;
}

/** How an agreement is reached. */
export interface Agreeing extends Expectation {
  readonly signal: AbortSignal;
  /** The words of the command that is shown with the hash, such as `mdx-ai add github:o/r`. */
  readonly retry: readonly string[];
}

/**
 * Resolves if the user agrees: by the hash of the command line, else by an answer on the terminal. Otherwise rejects with `ProgramError`
 * (untrusted).
 */
export async function agree(
  { title, question, lines, staged, isShown = false }: Agreement,
  { hash, isSilent, signal, retry }: Agreeing,
  context: CommandContext,
): Promise<void> {
  const { power, locked } = staged;
  if (hash === power.hash || hash === locked.hash) return;
  if (hash !== undefined) {
    throw new ProgramError(`${title} has the hash ${power.hash}, not the expected ${hash}`, EXIT_CODE.untrusted);
  }
  if (isSilent || !context.canAsk) {
    if (!isSilent && !isShown) context.stderr.write(lines.map((line) => `  ${line}\n`).join(""));
    const command = `${retry.map(shellWord).join(" ")} --yes --expect ${power.hash}`;
    throw new ProgramError(
      `${title} needs your agreement to what it may do; to agree: ${command}`,
      EXIT_CODE.untrusted,
    );
  }
  const { chooseAnswer } = await import("../asking/choose-answer.ts");
  const asked = { path: title, note: lines.join("\n"), question, answers: ANSWERS };
  if ((await chooseAnswer(asked, context, { signal, isPlain: false })) === "yes") return;
  throw new ProgramError(`${title} was not agreed to`, EXIT_CODE.untrusted);
}

const ANSWERS = [
  { value: "no", label: "No" },
  { value: "yes", label: "Yes" },
] as const;
