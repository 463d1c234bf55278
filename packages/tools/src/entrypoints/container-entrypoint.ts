import { type Environment, secondsText, shellWord, whenAborted } from "@mdx-ai/base";
import { findProgram } from "@mdx-ai/base/disk";
import { errorResult, OUTPUT_LIMIT, type ToolResult, textResult } from "@mdx-ai/loop";
import { Reaper } from "@mdx-ai/mcp/reaper";
import { containerTarget, type EntrypointMistake } from "@mdx-ai/parser/entrypoints";
import { DEFAULT_SECONDS } from "@mdx-ai/sandbox";
import { ShellOutput } from "../shell-output.ts";
import { shellEnvironment } from "../shell-run.ts";
import {
  type Entrypoint,
  type EntrypointContext,
  EntrypointError,
  type EntrypointTool,
  givenArguments,
} from "./entrypoint.ts";

/**
 * `container:IMAGE`: the image receives the arguments as JSON and answers on standard output. It has no network and none of the
 * user's files. A missing image is not downloaded.
 */
export const containerEntrypoint: Entrypoint = { tool: containerTool };

function containerTool(context: EntrypointContext): EntrypointTool | EntrypointMistake {
  const { tool } = context;
  const target = containerTarget(tool.entrypoint.target);
  if (target.kind === "mistake") return target;
  const seconds = tool.timeout ?? DEFAULT_SECONDS.tool;
  return {
    access: async () => {
      const engine = engineFor(context);
      const words = [engine?.name ?? "docker", "run", ...OPTIONS, target.image];
      return { kind: "command", command: words.map(shellWord).join(" ") };
    },
    execute: async (args, { signal }) => {
      const engine = engineFor(context);
      if (engine === undefined) {
        throw new EntrypointError(
          "neither podman nor docker is on PATH: install one to run the tools with a `container:` entrypoint",
        );
      }
      const { environment } = context.options;
      const input = JSON.stringify(givenArguments(args));
      return runContainer({ engine, image: target.image, environment, input, seconds }, signal);
    },
  };
}

const OPTIONS: readonly string[] = [
  ...["--rm", "-i", "--network", "none", "--pull", "never"],
  ...["--memory", "1g", "--pids-limit", "512", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"],
];

/** A program that runs containers. */
interface ContainerEngine {
  readonly name: "podman" | "docker";
  /** Absolute. */
  readonly path: string;
}

interface ContainerRun {
  readonly engine: ContainerEngine;
  readonly image: string;
  /** The user's variables: for the engine, not for the container. */
  readonly environment: Environment;
  readonly input: string;
  readonly seconds: number;
}

/** The exit code of an engine that could not start the container. */
const ENGINE_FAILED = 125;

/** A container does not end with its client, so it is removed if the client had to be killed, even after this process has ended. */
const REMOVE = 'if [ -n "$live" ]; then exec "$@" >/dev/null 2>&1; fi';

/** Variables that name a socket, for the engine only. */
const ENGINE_VARIABLES = ["DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG", "CONTAINER_HOST", "XDG_RUNTIME_DIR"];

/** The first installed engine: podman needs no daemon. */
function engineFor({ options }: EntrypointContext): ContainerEngine | undefined {
  const { agentDir, workingDirectory, cwd, environment } = options;
  for (const name of ["podman", "docker"] as const) {
    const path = findProgram(name, { environment, outside: [agentDir, workingDirectory], cwd });
    if (path !== undefined) return { name, path };
  }
  return undefined;
}

/** Runs a container once and waits for its end. Removes it on a timeout or when the signal fires. */
async function runContainer(run: ContainerRun, signal: AbortSignal): Promise<ToolResult> {
  const { engine, image, input, seconds } = run;
  const name = `mdx-ai-${crypto.randomUUID()}`;
  const variables = engineEnvironment(run.environment);
  const started = Bun.spawn([engine.path, "run", "--name", name, ...OPTIONS, image], {
    ...{ cwd: "/", env: variables },
    stdio: [new Blob([`${input}\n`]), "pipe", "pipe"],
    // Keeps the terminal's Ctrl+C from it.
    detached: true,
  });
  started.unref();
  const reaper = new Reaper({
    name,
    script: REMOVE,
    args: ["env", ...assignments(variables), engine.path, "rm", "--force", name],
  });
  const forget = reaper.watch(started.pid);
  let timedOut = false;
  const stop = (): void => void reaper.close();
  const timer = setTimeout(() => {
    timedOut = true;
    stop();
  }, seconds * 1000);
  using _listener = whenAborted(signal, stop);
  try {
    const [output, errors] = [new ShellOutput(), new ShellOutput()];
    await Promise.all([
      output.readUntilExit(started.stdout, started.exited),
      errors.readUntilExit(started.stderr, started.exited),
    ]);
    if (timedOut) return errorResult(`the container was stopped: it timed out after ${secondsText(seconds)}`);
    const { exitCode } = started;
    const details = { exitCode, bytes: output.bytes };
    if (exitCode === 0) return { ...textResult(output.text(OUTPUT_LIMIT)), details };
    return { ...errorResult(failureText(run, exitCode, [output, errors])), details };
  } finally {
    clearTimeout(timer);
    forget();
    void reaper.close();
  }
}

/** The text ends with the program's output. */
function failureText(
  { engine, image }: ContainerRun,
  exitCode: number | null,
  streams: readonly ShellOutput[],
): string {
  const texts = streams.map((stream) => stream.text(OUTPUT_LIMIT / 4).trim()).filter((text) => text !== "");
  const said = texts.join("\n");
  const rest = said === "" ? "" : `:\n${said}`;
  if (exitCode !== ENGINE_FAILED) return `the container ended with exit code ${exitCode}${rest}`;
  if (/daemon|cannot connect|connection refused/i.test(said) && !/no such image|pull/i.test(said)) {
    return `${engine.name} is installed, but its daemon is not running${rest}`;
  }
  if (/no such image|image not known|not present|unable to find image|image not found/i.test(said)) {
    return `the image ${image} is not on this machine, and calls do not download it; run \`${engine.name} pull ${image}\`${rest}`;
  }
  return `${engine.name} could not run the image ${image}${rest}`;
}

const assignments = (variables: Record<string, string>): readonly string[] =>
  [...ENGINE_VARIABLES, "HOME", "PATH"].flatMap((name) =>
    variables[name] === undefined ? [] : `${name}=${variables[name]}`,
  );

function engineEnvironment(environment: Environment): Record<string, string> {
  const own = ENGINE_VARIABLES.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...shellEnvironment(environment, false), ...Object.fromEntries(own) };
}
