import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "./agent-files.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

/** A registry of packages on the loopback with one package, `tiny` 1.0.0, whose program `tiny` prints "tiny runs". */
export interface PackageRegistry extends Disposable {
  /** With its port. */
  readonly host: string;
  /** How often the package was downloaded since the last call. */
  downloads(): number;
}

export function packageRegistry(): PackageRegistry {
  const archive = tinyArchive();
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  let downloads = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const { pathname, origin } = new URL(url);
      if (pathname === "/tiny.tgz") {
        downloads += 1;
        return new Response(archive);
      }
      if (pathname !== "/tiny") return new Response("none", { status: 404 });
      const dist = { tarball: `${origin}/tiny.tgz`, integrity };
      const version = { name: "tiny", version: "1.0.0", bin: { tiny: "tiny.sh" }, dist };
      return Response.json({ name: "tiny", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": version } });
    },
  });
  return {
    host: `127.0.0.1:${server.port}`,
    downloads: () => {
      const before = downloads;
      downloads = 0;
      return before;
    },
    [Symbol.dispose]: () => void server.stop(true),
  };
}

function tinyArchive(): Buffer {
  using folder = temporaryDirectory();
  const manifest = { name: "tiny", version: "1.0.0", bin: { tiny: "tiny.sh" } };
  writeText(join(folder.path, "package/package.json"), JSON.stringify(manifest));
  writeText(join(folder.path, "package/tiny.sh"), "#!/bin/sh\necho tiny runs\n");
  execFileSync("tar", ["-C", folder.path, "-czf", join(folder.path, "tiny.tgz"), "package"]);
  return readFileSync(join(folder.path, "tiny.tgz"));
}
