import { mkdirSync } from "node:fs";
import { createRedactor } from "@mdx-ai/base";
import { Interruption } from "../../packages/cli/src/interruption.ts";
import { Output } from "../../packages/cli/src/output/output.ts";
import { newLostErrors, runCommandLine as run } from "../../packages/cli/src/run-program.ts";
import { type CliOptions, type CliResult, cliEnvironment, isExecutableTested, runCli } from "./run-cli.ts";

/**
 * Runs a command line to its end and collects what it says. In this process, which is cheaper than `runCli`; as a program of its own if
 * something is piped in, if a file sets variables of the process, or if an executable is tested. Signals, and standard input on a terminal, are those of this process.
 */
export async function runCommandLine(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const needsProcess = options.input !== undefined || args.includes("--env-file");
  return needsProcess || isExecutableTested ? runCli(args, options) : runHere(args, options);
}

async function runHere(args: readonly string[], options: CliOptions): Promise<CliResult> {
  const { home, cwd = home } = options;
  mkdirSync(home, { recursive: true });
  const environment = cliEnvironment(options);
  const keys = createRedactor({ environment });
  const [out, err] = [written(), written()];
  const stderr = new Output(2, keys, err.send);
  const stdout = new Output(1, undefined, out.send);
  const own = { interruption: new Interruption(), lostErrors: newLostErrors() };
  const context = { stdout, stderr, keys, ...own, environment, currentDirectory: cwd };
  const exitCode = await run(args, context);
  await stderr.flush();
  return { exitCode, stdout: out.texts.join(""), stderr: err.texts.join("") };
}

function written(): { readonly texts: readonly string[]; readonly send: (text: string) => Promise<void> } {
  const texts: string[] = [];
  return {
    texts,
    send: async (text) => {
      texts.push(text);
    },
  };
}
