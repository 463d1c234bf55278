import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorMessage } from "@mdx-ai/base";
import { makeFileOnce, randomSecret } from "@mdx-ai/base/disk";
import { type Access, isLoopback, type UserToken } from "@mdx-ai/server/http";
import type { ParsedArguments } from "../arguments/command-spec.ts";
import { textOption } from "../arguments/option-values.ts";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../failures/program-error.ts";

/** Who may use a server, and the token to show if it was made now. */
export interface ServerAccess {
  readonly access: Access;
  /** A token that nobody has seen yet. */
  readonly shown?: string;
}

type Place = Pick<CommandContext, "environment" | "currentDirectory">;

/** Reads `--token`, `--users` and `--user-header`. Rejects with `UsageError`. */
export async function serverAccess(args: ParsedArguments, host: string, place: Place): Promise<ServerAccess> {
  const users = textOption(args, "users", "a file");
  const header = textOption(args, "user-header", "the name of a header");
  const token = textOption(args, "token", "a file, or env:NAME");
  if (users !== undefined) {
    if (token !== undefined || header !== undefined) {
      const other = token === undefined ? "user-header" : "token";
      throw new UsageError(`--users and --${other} exclude each other; leave one out`);
    }
    return { access: { type: "users", users: await readUsers(resolve(place.currentDirectory, users)) } };
  }
  if (!isLoopback(host)) {
    if (header !== undefined) throw new UsageError("--user-header needs a proxy on this machine: leave out --host");
    if (token === undefined) {
      throw new UsageError(
        `--host ${host} lets other machines connect; give a token with --token FILE or --token env:NAME`,
      );
    }
  }
  const { text, isNew } = readToken(token, place);
  const access: Access =
    header === undefined ? { type: "token", token: text } : { type: "header", token: text, header };
  return { access, ...(isNew && { shown: text }) };
}

interface GivenToken {
  readonly text: string;
  /** Whether it was made now. */
  readonly isNew: boolean;
}

/** The token of `--token FILE` or `env:NAME`; a missing file is written. Throws `UsageError`. */
export function readToken(given: string | undefined, { environment, currentDirectory }: Place): GivenToken {
  if (given === undefined) return { text: randomSecret(), isNew: true };
  if (given.startsWith("env:")) {
    const name = given.slice("env:".length);
    return { text: checked(environment[name]?.trim() ?? "", `the variable ${name}`), isNew: false };
  }
  const file = resolve(currentDirectory, given);
  if (existsSync(file)) return { text: checked(readText(file, "token").trim(), file), isNew: false };
  const text = randomSecret();
  try {
    makeFileOnce(file, `${text}\n`);
  } catch (error) {
    throw new UsageError(`--token cannot be written: ${errorMessage(error)}`);
  }
  return { text, isNew: true };
}

/** Prints the address of a server that listens, and its token if nobody has seen it yet. */
export async function showServer(
  { url }: { readonly url: string },
  shown: string | undefined,
  { stdout, stderr }: Pick<CommandContext, "stdout" | "stderr">,
): Promise<void> {
  stdout.write(`${url}\n`);
  await stdout.flush();
  if (shown !== undefined) stderr.write(`mdx-ai: the token of this server, shown once: ${shown}\n`);
}

/** Characters; a shorter token could be guessed. */
const MIN_TOKEN = 16;

function checked(token: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(token) && token.length >= MIN_TOKEN) return token;
  throw new UsageError(`${source} needs a token of at least ${MIN_TOKEN} visible ASCII characters without blanks`);
}

async function readUsers(file: string): Promise<readonly UserToken[]> {
  const { idRefusal } = await import("@mdx-ai/sessions");
  const lines = readText(file, "users").split("\n");
  const users = lines.flatMap((line, index): UserToken[] => {
    if (/^\s*(#|$)/.test(line)) return [];
    const [name = "", token = "", ...more] = line.trim().split(/\s+/);
    const at = `${file}:${index + 1}`;
    const refusal = idRefusal(name);
    if (refusal !== undefined) throw new UsageError(`${at}: bad user ${JSON.stringify(name.slice(0, 40))}: ${refusal}`);
    if (more.length > 0) throw new UsageError(`${at}: a line has a name and a token`);
    return [{ name, token: checked(token, at) }];
  });
  if (users.length === 0) throw new UsageError(`${file} names no user; write a line with name and token for each`);
  for (const of of ["name", "token"] as const) {
    const [again] = users.filter((user, index) => users.findIndex((one) => one[of] === user[of]) < index);
    if (again !== undefined) throw new UsageError(`${file} has two users with the ${of} of ${again.name}`);
  }
  return users;
}

function readText(file: string, option: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError(`--${option} cannot be read: ${errorMessage(error)}`);
  }
}
