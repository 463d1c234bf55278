import { isRecord } from "@mdx-ai/base";
import { type AgentPackage, descriptionOf, type PackageName, slug } from "./agent-package.ts";
import { compressedArchive, inFolder, textFile } from "./write-archive.ts";

/** A package of npm. */
export interface NpmPackage {
  /** Its package.json. */
  readonly manifest: Readonly<Record<string, unknown>>;
  /** The compressed archive. */
  readonly bytes: Uint8Array;
}

/** What of the agent's package.json belongs in the package's. Scripts do not: nothing runs when it is installed. */
const TAKEN: readonly string[] = [
  ...["license", "author", "contributors", "repository", "homepage", "bugs", "funding"],
  ...["optionalDependencies", "peerDependencies", "publishConfig"],
];

/** Files that registries show. */
const SHOWN = /^(?:readme(?:\.md)?|licen[cs]e(?:\.md|\.txt)?)$/i;

/**
 * An agent as a package of npm: its files in `agent/`, unchanged, and a program that runs it with mdx-ai, on which the package depends. The
 * packages that its code imports are dependencies, too. `program` is the version of mdx-ai.
 */
export async function npmPackage(
  agent: AgentPackage,
  { name, version }: PackageName,
  program: string,
): Promise<NpmPackage> {
  const { manifest: own, files } = agent;
  const command = slug(name.replace(/^@[^/]+\//, ""));
  const manifest = {
    ...{ name, version, description: descriptionOf(agent), keywords: ["mdx-ai", "agent"] },
    ...Object.fromEntries(TAKEN.filter((key) => own[key] !== undefined).map((key) => [key, own[key]])),
    ...{ type: "module", bin: { [command]: "run.js" }, files: ["agent", "run.js"] },
    dependencies: { ...(isRecord(own["dependencies"]) && own["dependencies"]), "mdx-ai": program },
  };
  const added = [
    textFile("package.json", `${JSON.stringify(manifest, undefined, 2)}\n`),
    textFile("run.js", programText(name), true),
    ...files.filter(({ path }) => SHOWN.test(path)),
  ];
  const bytes = await compressedArchive(inFolder("package", [...added, ...inFolder("agent", files)]));
  return { manifest, bytes };
}

/** The program of a package. The data is in the user's state, where an update of the package leaves it. */
const programText = (name: string): string => `#!/usr/bin/env node
// Runs the agent of this package.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants, homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const { resolve } = createRequire(import.meta.url);
const program = join(dirname(resolve("mdx-ai/package.json")), "bin", "mdx-ai");
const agent = fileURLToPath(new URL("agent", import.meta.url));
const words = process.argv.slice(2);
const state = process.env.XDG_STATE_HOME || join(homedir(), ".local", "state");
const data = join(state, "mdx-ai", "packages", ${JSON.stringify(name)});
const hasData = words.some((word) => word === "--data" || word.startsWith("--data="));
const child = spawn(program, [agent, ...(hasData ? [] : ["--data", data]), ...words], { stdio: "inherit" });
// A terminal sends it to both.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(error.message);
  process.exitCode = 1;
});
child.on("exit", (code, signal) => {
  process.exitCode = code ?? 128 + constants.signals[signal];
});
`;
