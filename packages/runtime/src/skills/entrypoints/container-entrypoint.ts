import type { JsonObject } from "@mdx-ai/models";
import { containerTarget } from "@mdx-ai/parser";
import { shellWord } from "../../files/shell-word.ts";
import { DEFAULT_SECONDS } from "../../sandbox/process-limits.ts";
import { type Entrypoint, type EntrypointContext, EntrypointError, givenArguments } from "./entrypoint.ts";
import { containerEngine, runContainer } from "./run-container.ts";

/**
 * `container:IMAGE`: the image gets the arguments as JSON and answers on its standard output. It has no network and none of the
 * user's files; an image that is missing is not downloaded.
 */
export const containerEntrypoint: Entrypoint = (context) => {
  const { tool } = context;
  const target = containerTarget(tool.entrypoint.target);
  if (target.kind === "mistake") return target;
  const seconds = tool.timeout ?? DEFAULT_SECONDS.tool;
  return {
    access: async () => {
      const engine = engineFor(context);
      const words = [engine?.name ?? "docker", ...containerArguments(target.image)];
      return { kind: "command", command: words.map(shellWord).join(" ") };
    },
    execute: async (args: JsonObject, { signal }) => {
      const engine = engineFor(context);
      if (engine === undefined) {
        throw new EntrypointError(
          "neither podman nor docker is on PATH: install one to run the tools with a `container:` entrypoint",
        );
      }
      const { environment } = context.surroundings;
      const container = { engine, image: target.image, arguments: containerArguments(target.image), environment };
      return runContainer({ ...container, input: JSON.stringify(givenArguments(args)), seconds }, signal);
    },
  };
};

const LIMITS = ["--memory", "1g", "--pids-limit", "512", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];

const containerArguments = (image: string): readonly string[] => [
  ...["run", "--rm", "-i", "--network", "none", "--pull", "never"],
  ...LIMITS,
  image,
];

const engineFor = ({ surroundings: { agentDir, workingDirectory, cwd, environment } }: EntrypointContext) =>
  containerEngine({ environment, outside: [...new Set([agentDir, workingDirectory])], cwd });
