import type { TestCase } from "@mdx-ai/directory/testing";
import { plainLine } from "@mdx-ai/directory/text";
import type { CommandContext } from "../command-context.ts";
import { createSpinner } from "../output/spinner.ts";

/** The line of the spinner must not wrap. */
const NAME_WIDTH = 50;

/** What shows that tests are running, on a terminal alone. */
export interface TestProgress {
  begin(test: TestCase): void;
  /** A test has ended; `text` is shown above the line. */
  end(text: string): void;
  stop(): void;
}

/** `isSilent`: standard output is for programs, and what is shown goes to standard error. */
export function createTestProgress(total: number, isSilent: boolean, context: CommandContext): TestProgress {
  const spinner = createSpinner(isSilent ? context.stderr : context.stdout, context.environment);
  let ended = 0;
  return {
    begin: ({ subject, name }) => {
      spinner.show(`${ended} of ${total} · ${plainLine(`${subject}: ${name}`).slice(0, NAME_WIDTH)}`);
    },
    end: (text) => {
      ended += 1;
      if (!isSilent) spinner.write(text);
    },
    stop: () => spinner.stop(),
  };
}
