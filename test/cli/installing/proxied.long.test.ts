import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { hashIn, versionedAgent } from "../../support/added-agents.ts";
import { writeFiles } from "../../support/agent-files.ts";
import { PUBLIC_HOST, proxiedHost } from "../../support/connect-proxy.ts";
import { digestOf } from "../../support/oci-registry.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

/** The media types that docs/sharing.md documents, and that of manifests. */
const AGENT_TYPE = "application/vnd.mdx-ai.agent.v1+json";
const AGENT_LAYER = "application/vnd.mdx-ai.agent.content.v1.tar+gzip";
const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

const text = versionedAgent("one");

/** A compressed archive. */
function archiveOf(files: Readonly<Record<string, string>>): Buffer {
  using folder = temporaryDirectory();
  writeFiles(join(folder.path, "files"), files);
  execFileSync("tar", ["-C", join(folder.path, "files"), "-czf", join(folder.path, "a.tgz"), "."]);
  return readFileSync(join(folder.path, "a.tgz"));
}

/** A user who reaches a host with agents by a proxy alone. The path of a redirect is where it leads. */
async function proxiedUser(realm = "") {
  const folder = temporaryDirectory();
  const archive = archiveOf({ "agent.mdx": text });
  const packed = archiveOf({ "package/agent.mdx": text, "package/package.json": '{"name": "weather"}' });
  const integrity = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
  const layer = { mediaType: AGENT_LAYER, digest: digestOf(archive), size: archive.length };
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    artifactType: AGENT_TYPE,
    layers: [layer],
  });
  const documentOf = (tarball: string): string =>
    JSON.stringify({ name: "weather", "dist-tags": { latest: "1.0.0" }, versions: { "1.0.0": { dist: { tarball, integrity } } } }); // biome-ignore format: short
  const bodies = new Map<string, string | Buffer>([
    ["/weather.tgz", archive],
    ["/npm/weather", documentOf(`https://${PUBLIC_HOST}/npm/weather.tgz`)],
    ["/private/weather", documentOf("http://127.0.0.1:1/weather.tgz")],
    ["/npm/weather.tgz", packed],
    ["/v2/acme/weather/manifests/latest", manifest],
    [`/v2/acme/weather/blobs/${layer.digest}`, archive],
  ]);
  const host = await proxiedHost(join(folder.path, "authority.pem"), ({ url }) => {
    const { pathname, searchParams } = new URL(url);
    const target = pathname.startsWith("/private.git/") ? "https://10.1.2.3/x.git" : searchParams.get("to");
    if (target !== null) return Response.redirect(target);
    if (realm !== "") return new Response("", { status: 401, headers: { "www-authenticate": `Bearer realm="${realm}"` } }); // biome-ignore format: short
    const body = bodies.get(pathname);
    return body === undefined ? new Response("", { status: 404 }) : new Response(body);
  });
  const run = (args: readonly string[], registry = "npm") =>
    runCli(args, {
      home: folder.path,
      environment: { ...host.environment, npm_config_registry: `https://${PUBLIC_HOST}/${registry}/` },
    });
  return {
    host,
    manifest,
    run,
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      Bun.spawnSync(["chmod", "-R", "u+w", folder.path]);
      folder[Symbol.dispose]();
    },
  };
}

describe("the user's proxy", () => {
  test.each([`https://${PUBLIC_HOST}/weather.tgz`, "npm:weather", `oci://${PUBLIC_HOST}/acme/weather`])(
    "leads to what is added: %s",
    async (source) => {
      await using user = await proxiedUser();
      const { stdout } = await user.run(["add", source, "--json"]);
      expect(await user.run(["add", source, "--yes", "--expect", hashIn(stdout)])).toMatchObject({ exitCode: 0 });
      expect(await user.run(["verify"])).toMatchObject({ exitCode: 0 });
      expect(new Set(user.host.asked)).toEqual(new Set([`CONNECT ${PUBLIC_HOST}:443`]));
    },
  );

  test("leads git to its server", async () => {
    await using user = await proxiedUser();
    const { exitCode, stderr } = await user.run(["add", `https://${PUBLIC_HOST}/acme/weather.git`]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("not found")]);
    expect(user.host.asked).toContain(`CONNECT ${PUBLIC_HOST}:443`);
  });

  test("that cannot be reached is a failure, and nothing is asked without it", async () => {
    await using user = await proxiedUser();
    const source = `https://${PUBLIC_HOST}/weather.tgz`;
    const { exitCode, stderr } = await runCli(["add", source], { home: "/tmp", environment: { HTTPS_PROXY: "http://127.0.0.1:1" } }); // biome-ignore format: short
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`cannot reach ${PUBLIC_HOST}`)]);
    expect(user.host.asked).toEqual([]);
  });
});

describe("an image that a server of an agent runs", () => {
  const adding = async (image: string, user: Awaited<ReturnType<typeof proxiedUser>>) => {
    using folder = temporaryDirectory();
    const settings = `mcp: {a: {command: docker, args: [run, -i, ${JSON.stringify(image)}]}}`;
    writeFiles(folder.path, { "agent.mdx": versionedAgent("one", { settings }) });
    return await user.run(["add", folder.path]);
  };

  test("is refused without its digest, which is that of its tag today", async () => {
    await using user = await proxiedUser();
    const { exitCode, stderr } = await adding(`${PUBLIC_HOST}/acme/weather:latest`, user);
    const digest = digestOf(Buffer.from(user.manifest));
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`write ${PUBLIC_HOST}/acme/weather@${digest}\n`)]);
  });

  test.each(["127.0.0.1:1", "localhost", "10.1.2.3", "registry.local:5000"])("is not asked for at %s", async (host) => {
    await using user = await proxiedUser();
    const { exitCode, stderr } = await adding(`${host}/acme/weather`, user);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`write ${host}/acme/weather@sha256:DIGEST with the image's digest\n`)]); // biome-ignore format: short
    expect(user.host.asked).toEqual([]);
  });
});

describe("a host elsewhere does not lead to this machine or a private network", () => {
  test.each([
    ["http://127.0.0.1:1/x.tgz", "this machine (127.0.0.1:1)"],
    ["https://localhost/x.tgz", "this machine (localhost)"],
    ["https://[::1]/x.tgz", "this machine ([::1])"],
    ["https://10.1.2.3/x.tgz", "a private network (10.1.2.3)"],
    ["https://192.168.0.1/x.tgz", "a private network (192.168.0.1)"],
    ["https://169.254.169.254/latest/meta-data", "a private network (169.254.169.254)"],
    ["https://[fd00::1]/x.tgz", "a private network ([fd00::1])"],
    ["https://[::ffff:10.0.0.1]/x.tgz", "a private network ([::ffff:a00:1])"],
    ["https://0x0a000001/x.tgz", "a private network (10.0.0.1)"],
    ["https://printer.local/x.tgz", "a private network (printer.local)"],
    ["https://metadata.google.internal/x.tgz", "a private network (metadata.google.internal)"],
  ])("by a redirect to %s", async (target, place) => {
    await using user = await proxiedUser();
    const { exitCode, stderr } = await user.run(["add", `https://${PUBLIC_HOST}/elsewhere.tgz?to=${encodeURIComponent(target)}`]); // biome-ignore format: short
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${PUBLIC_HOST} redirects to ${place}, which is not followed`)]); // biome-ignore format: short
    expect(new Set(user.host.asked)).toEqual(new Set([`CONNECT ${PUBLIC_HOST}:443`]));
  }); // biome-ignore format: a table

  test("by a redirect of a repository", async () => {
    await using user = await proxiedUser();
    const { exitCode, stderr } = await user.run(["add", `https://${PUBLIC_HOST}/private.git`]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`${PUBLIC_HOST} redirects to a private network (10.1.2.3), which is not followed`)]); // biome-ignore format: short
    expect(new Set(user.host.asked)).toEqual(new Set([`CONNECT ${PUBLIC_HOST}:443`]));
  });

  test("by the address of a package", async () => {
    await using user = await proxiedUser();
    const { exitCode, stderr } = await user.run(["add", "npm:weather"], "private");
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("names a package on this machine (127.0.0.1:1), which is not fetched")]); // biome-ignore format: short
  });

  test.each([
    ["http://127.0.0.1:1/token", "this machine (127.0.0.1:1)"],
    ["https://10.1.2.3/token", "a private network (10.1.2.3)"],
  ])("by the address for signing in %s", async (realm, place) => {
    await using user = await proxiedUser(realm);
    const { exitCode, stderr } = await user.run(["add", `oci://${PUBLIC_HOST}/acme/weather`]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`names ${place} for signing in, which is not used`)]); // biome-ignore format: short
  });
});
