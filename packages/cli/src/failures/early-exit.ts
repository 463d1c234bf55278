import { EXIT_CODE } from "./exit-code.ts";

/**
 * From now on, until the returned function is called, an end of the process that the program did not ask for is reported and
 * counts as a failure: a module that calls `process.exit()` must not look like an agent that answered.
 */
export function watchEarlyExit(): () => void {
  const tell = (): void => {
    process.exitCode = EXIT_CODE.failed;
    process.getBuiltinModule("node:fs").writeSync(2, "mdx-ai: a module ended the program with process.exit()\n");
  };
  process.on("exit", tell);
  return () => void process.off("exit", tell);
}
