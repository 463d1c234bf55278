import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type AddingUser, versionedAgent } from "./added-agents.ts";
import { writeText } from "./agent-files.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

export interface GreetingRegistry extends Disposable {
  readonly url: string;
  /** `text` is that of its greeting. Default: the version. */
  publish(version: string, text?: string): void;
}

/** A registry on the loopback with the package `greeting`, whose versions say their own. */
export function registry(): GreetingRegistry {
  const archives = new Map<string, Buffer>();
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const { pathname, origin } = new URL(url);
      const archive = archives.get(pathname.slice(1).replace(".tgz", ""));
      if (archive !== undefined) return new Response(Uint8Array.from(archive));
      if (pathname !== "/greeting") return new Response("none", { status: 404 });
      const versions = [...archives].map(([version, bytes]) => {
        const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
        return [
          version,
          { name: "greeting", version, dist: { tarball: `${origin}/${version}.tgz`, integrity } },
        ] as const;
      });
      const latest = versions.at(-1)?.[0];
      return Response.json({ name: "greeting", "dist-tags": { latest }, versions: Object.fromEntries(versions) });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}/`,
    publish: (version: string, text = version) => void archives.set(version, archiveOf(version, text)),
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function archiveOf(version: string, text: string): Buffer {
  using folder = temporaryDirectory();
  const scripts = { postinstall: "touch ../../../ran" };
  writeText(
    join(folder.path, "package/package.json"),
    JSON.stringify({ name: "greeting", version, main: "index.js", scripts }),
  );
  writeText(join(folder.path, "package/index.js"), `exports.greeting = "hello of ${text}";`);
  execFileSync("tar", ["-C", folder.path, "-czf", join(folder.path, "a.tgz"), "package"]);
  return readFileSync(join(folder.path, "a.tgz"));
}

/** An agent that imports the package. */
export const AGENT: string = versionedAgent("one").replace("export async", 'import { greeting } from "greeting";\n\nexport async').replace("return `", "return `${greeting} "); // biome-ignore format: short

export const lockOf = ({ home }: AddingUser): string => join(home, ".config/mdx-ai/agents.lock.json");
