import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { attempt, errorMessage, stateDirectory } from "@mdx-ai/base";
import { hasProcess, replaceFileSync } from "@mdx-ai/base/disk";
import type { CommandContext } from "../command-context.ts";
import { browserCommand, withoutKeys } from "./browser-command.ts";

/** The server whose page is opened. */
interface PageServer {
  readonly url: string;
  /** Absent if each user has a token: the page then asks for it. */
  readonly token?: string;
}

/** Milliseconds in which a browser has read the file that leads to the page. */
const READING_TIME = 120_000;

/**
 * Opens the page of a server in the user's browser. Command lines are seen by everybody, so the browser gets a file that only the user can
 * read and that leads to the page with the token. Returns a function that removes the file. Never throws; failures are warnings.
 */
export function openPage({ url, token }: PageServer, context: CommandContext): () => void {
  const page = `${reachable(url)}/`;
  const file = token === undefined ? undefined : writeRedirect(`${page}#token=${encodeURIComponent(token)}`, context);
  const command = browserCommand(file === undefined ? page : pathToFileURL(file).href, context.environment);
  const remove = (): void => void (file !== undefined && attempt(() => rmSync(file, { force: true })));
  const fail = (why: string): void => {
    remove();
    context.onNotice({ type: "warning", text: `${why}; open ${page} yourself` });
  };
  if (command === undefined) fail("no browser was found, neither by BROWSER nor on a display of this machine");
  else start(command, context, fail);
  setTimeout(remove, READING_TIME).unref();
  return remove;
}

/** An address that a browser on this machine reaches, for a server that listens on all addresses. */
const reachable = (url: string): string => url.replace("://0.0.0.0:", "://127.0.0.1:").replace("://[::]:", "://[::1]:");

/** The browser outlives this program, and its output is not shown. */
function start(command: readonly string[], { environment }: CommandContext, fail: (why: string) => void): void {
  try {
    const child = Bun.spawn([...command], {
      env: withoutKeys(environment),
      stdio: ["ignore", "ignore", "ignore"],
      detached: true,
      onExit: (_child, code) => {
        if (code !== 0 && code !== null) fail(`${command[0]} ended with exit code ${code}`);
      },
    });
    child.unref();
  } catch (error) {
    fail(`${command[0]} could not be started: ${errorMessage(error)}`);
  }
}

const NAME = /^open-(\d+)\.html$/;

/** Undefined if the user has no folder for it; the page then asks for the token. */
function writeRedirect(address: string, { environment }: CommandContext): string | undefined {
  const state = stateDirectory(environment);
  if (state === undefined) return undefined;
  const folder = join(state, "servers");
  return attempt(() => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      const [, owner] = NAME.exec(name) ?? [];
      // A killed server could not remove its file.
      if (owner !== undefined && !hasProcess(Number(owner))) rmSync(join(folder, name), { force: true });
    }
    const path = join(folder, `open-${process.pid}.html`);
    replaceFileSync({ path, text: redirectPage(Bun.escapeHTML(address)), isDispensable: true });
    return path;
  });
}

const redirectPage = (address: string): string => `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${address}">
<title>mdx-ai</title>
<a href="${address}">Open the page of mdx-ai</a>
`;
