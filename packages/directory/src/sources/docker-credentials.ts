import { readFileSync } from "node:fs";
import { join } from "node:path";
import { attempt, type Environment, homeFolder, isRecord, jsonValue } from "@mdx-ai/base";
import { findProgram, runProgram } from "@mdx-ai/base/disk";
import { sourceError } from "./source.ts";

/** What a user sends to a registry to sign in. */
export type Credentials =
  | { readonly type: "password"; readonly user: string; readonly password: string }
  /** A token that is exchanged for others. */
  | { readonly type: "token"; readonly token: string };

/** Docker's own name for its registry in its settings. */
const DOCKER_HUB = "https://index.docker.io/v1/";

/**
 * The credentials for a registry, as `docker login` keeps them: in `config.json`, or in a credential helper that it names, which is started.
 * Undefined if there are none. Rejects with `DirectoryError` ("source") if the helper cannot be used.
 */
export async function dockerCredentials(
  host: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<Credentials | undefined> {
  const settings = readSettings(environment);
  const names = host === "docker.io" ? [DOCKER_HUB, host] : [host, `https://${host}`, `https://${host}/v2/`];
  const helper = helperFor(settings, names);
  if (helper !== undefined) {
    const found = await askHelper(helper, names[0] ?? host, { environment, signal });
    if (found !== undefined) return found;
  }
  const auths = isRecord(settings["auths"]) ? settings["auths"] : {};
  return names.map((name) => keptCredentials(auths[name])).find((found) => found !== undefined);
}

function readSettings(environment: Environment): Readonly<Record<string, unknown>> {
  const home = homeFolder(environment);
  const folder = environment["DOCKER_CONFIG"] || (home && join(home, ".docker"));
  if (!folder) return {};
  const settings: unknown = attempt(() => JSON.parse(readFileSync(join(folder, "config.json"), "utf8")));
  return isRecord(settings) ? settings : {};
}

function helperFor(settings: Readonly<Record<string, unknown>>, names: readonly string[]): string | undefined {
  const helpers = isRecord(settings["credHelpers"]) ? settings["credHelpers"] : {};
  const helper = names.map((name) => helpers[name]).find((found) => found !== undefined) ?? settings["credsStore"];
  return typeof helper === "string" && /^[\w.-]+$/.test(helper) ? helper : undefined;
}

interface HelperContext {
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** By the protocol of docker's credential helpers. Undefined if the helper knows none. */
async function askHelper(
  name: string,
  server: string,
  { environment, signal }: HelperContext,
): Promise<Credentials | undefined> {
  const program = findProgram(`docker-credential-${name}`, { environment, outside: [] });
  if (program === undefined) {
    throw sourceError(`docker's settings name docker-credential-${name}, which is not on PATH`);
  }
  const { exitCode, output } = await runProgram([program, "get"], { cwd: "/", environment, input: server, signal });
  const answer: unknown = exitCode === 0 ? jsonValue(output) : undefined;
  if (!isRecord(answer) || typeof answer["Secret"] !== "string" || typeof answer["Username"] !== "string")
    return undefined;
  if (answer["Username"] === "<token>") return { type: "token", token: answer["Secret"] };
  return { type: "password", user: answer["Username"], password: answer["Secret"] };
}

function keptCredentials(kept: unknown): Credentials | undefined {
  if (!isRecord(kept)) return undefined;
  if (typeof kept["identitytoken"] === "string") return { type: "token", token: kept["identitytoken"] };
  if (typeof kept["auth"] !== "string") return undefined;
  const [, user, password] = /^([^:]*):(.*)$/s.exec(Buffer.from(kept["auth"], "base64").toString()) ?? [];
  return user === undefined || password === undefined ? undefined : { type: "password", user, password };
}
