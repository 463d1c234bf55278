import { expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar, type TarEntry, type TarHeader } from "modern-tar";
import { writeText } from "../../../../test/support/agent-files.ts";
import { npmRegistry } from "../../../../test/support/npm-registry.ts";
import { digestOf, ociRegistry } from "../../../../test/support/oci-registry.ts";
import { STRANGER, type Victim, victim } from "../../../../test/support/victim.ts";
import { fetchSource, parseSource } from "./index.ts";
import { AGENT_LAYER, AGENT_TYPE, MANIFEST_TYPE } from "./oci-types.ts";

const signal = new AbortController().signal;

const file = (name: string, body = "x", header: Partial<TarHeader> = {}): TarEntry => ({
  header: { name, size: Buffer.byteLength(body), mode: 0o644, ...header },
  body,
});

const other = (name: string, type: TarHeader["type"], linkname?: string): TarEntry => ({
  header: { name, size: 0, ...(type && { type }), ...(linkname !== undefined && { linkname }) },
});

const archiveOf = async (...entries: readonly TarEntry[]): Promise<Buffer> =>
  gzipSync(await packTar([file("agent.mdx", STRANGER), ...entries]));

const ARCHIVES: Readonly<Record<string, readonly [() => Promise<Uint8Array> | Uint8Array, why: RegExp]>> = {
  "a symbolic link out": [() => archiveOf(other("skills", "symlink", "../../.ssh")), /`skills` is a symbolic link/],
  "a link within, and a file through it": [() => archiveOf(other("a", "symlink", "b"), file("a/key")), /`a` is /],
  "a hard link": [() => archiveOf(other("passwd", "link", "/etc/passwd")), /`passwd` is a hard link/],
  "a folder above": [() => archiveOf(file("../evil")), /`\.\.\/evil` leads out of the package/],
  "a folder above, in the middle": [() => archiveOf(file("skills/../../evil")), /leads out of the package/],
  "a folder above, with backslashes": [() => archiveOf(file("..\\evil")), /contains a backslash/],
  "a folder above, in a pax header": [
    () => archiveOf(file("fine", "x", { pax: { path: "../evil" } })),
    /`\.\.\/evil` leads out/,
  ],
  "an absolute path": [() => archiveOf(file("/etc/cron.d/evil")), /`\/etc\/cron\.d\/evil` is absolute/],
  "a character device": [() => archiveOf(other("null", "character-device")), /`null` is a device/],
  "a block device": [() => archiveOf(other("disk", "block-device")), /`disk` is a device/],
  "a pipe": [() => archiveOf(other("pipe", "fifo")), /`pipe` is a pipe/],
  "names that differ by case": [() => archiveOf(file("Agent.mdx")), /`Agent\.mdx` and `agent\.mdx` are the same file/],
  "folders that differ by case": [() => archiveOf(file("skills/a"), file("Skills/b")), /are the same file on some/],
  "names that differ by Unicode": [
    () => archiveOf(file("caf\u00e9"), file("cafe\u0301")),
    /and `caf\\u\{e9\}` are the same file/,
  ],
  "a letter that is another in capitals": [() => archiveOf(file("kill"), file("\u212aill")), /are the same file/],
  "an invisible letter": [() => archiveOf(file("agent\u200b.mdx")), /contains invisible characters/],
  "a text that is turned around": [() => archiveOf(file("\u202exdm.tnega")), /contains invisible characters/],
  "a terminal's sequence": [() => archiveOf(file("\u001b[2J")), /contains invisible characters/],
  "the same file twice": [
    () => archiveOf(file("agent.mdx", "# Agent: Other\n")),
    /`agent\.mdx` is in the package twice/,
  ],
  "a file that is also a folder": [() => archiveOf(file("a"), file("a/b")), /`a` is in the package twice/],
  "a name with a final dot": [() => archiveOf(file("agent.mdx.")), /ends with a dot or a space/],
  "a name of 300 letters": [() => archiveOf(file("a".repeat(300))), /longer than 255 bytes/],
  "40 folders deep": [() => archiveOf(file(`${"a/".repeat(40)}b`)), /deeper than 32 folders/],
  "10,001 files": [
    () => archiveOf(...Array.from({ length: 10_000 }, (_, index) => file(`f${index}`, ""))),
    /more than 10000 files/,
  ],
  "a bomb of zeros": [() => gzipSync(Buffer.alloc(30 * 1024 * 1024)), /more than 200 times its size/],
  "a size that is not there": [
    async () => gzipSync((await packTar([file("agent.mdx", STRANGER), file("a", "x".repeat(9000))])).subarray(0, 4096)),
    /not a valid tar archive/,
  ],
  "no archive at all": [() => Buffer.from("<html>Please sign in</html>"), /not a valid tar archive|no agent\.mdx/],
  "a broken compression": [() => gzipSync("x".repeat(9000)).subarray(0, 40), /not a valid gzip archive/],
  "no agent": [async () => gzipSync(await packTar([file("README.md")])), /evil\.tgz has no agent\.mdx at its root/],
  "two agents": [
    async () => gzipSync(await packTar([file("a/agent.mdx"), file("b/agent.mdx")])),
    /evil\.tgz has 2 agents; there is .*evil\.tgz#:a, .*evil\.tgz#:b/,
  ],
};

test.each(Object.entries(ARCHIVES))("an archive with %s is refused, and nothing is written", async (_, [make, why]) => {
  using user = victim();
  writeFileSync(join(user.home, "evil.tgz"), await make());
  const before = user.everything();
  expect(await user.fetchFrom("evil.tgz")).toMatch(why);
  expect(user.everything()).toEqual(before);
});

test("data, packages, secrets and a repository in an archive are left out", async () => {
  using user = victim();
  const archive = await archiveOf(
    ...[
      "sessions/main/journal.jsonl",
      "State/agent-state.json",
      "logs/x",

      ".GIT/hooks/post-checkout",
    ].map((name) => file(name)),
    ...["node_modules/x/index.js", ".env", ".env.local", ".npmrc", "skills/a/.DS_Store"].map((name) => file(name)),
    ...["agents/b/agent.mdx", "agents/b/sessions/x", "skills/state/SKILL.md", ".env.example"].map((name) => file(name)),
  );
  writeFileSync(join(user.home, "evil.tgz"), archive);
  const into = join(user.home, "added");
  const { leftOut } = await fetchSource(parseSource("evil.tgz", user.home), { into, signal, environment: {} });
  expect(readdirSync(into, { recursive: true, encoding: "utf8" }).sort()).toEqual(
    [".env.example", "agent.mdx", "agents", "agents/b", "agents/b/agent.mdx", "skills", "skills/state"].concat(
      "skills/state/SKILL.md",
    ),
  );
  expect(leftOut).toEqual(
    [
      ".GIT/",
      ".env",
      ".env.local",
      ".npmrc",

      "State/",
      "agents/b/sessions/",
      "logs/",
      "node_modules/",
      "sessions/",
    ].concat("skills/a/.DS_Store"),
  );
});

test.each([
  ["ext::sh -c touch% it-ran", /unknown kind of source `ext:`/],
  ["--upload-pack=touch it-ran", /there is no folder/],
  ["evil.git#--upload-pack=touch${IFS}it-ran", /is not the name of a branch/],
  ["evil.git#main:../..", /leads out of the package/],
  ["evil.git#main:/etc", /is absolute/],
  ["ssh://-oProxyCommand=touch it-ran/x", /is not a valid address/],
  ["git+ssh://-oProxyCommand=x@host/x", /is not a valid address/],
  ["-oProxyCommand=x@host:x", /there is no folder/],
  ["http://example.com/evil.git", /is not encrypted/],
  ["git://example.com/evil.git", /unknown kind of source `git:`/],
  ["https://user:secret@example.com/x.tgz", /https:\/\/…@example.com\/x.tgz contains a password/],
  ["npm:../../evil", /expected npm:NAME/],
  ["npm:@acme/..", /expected npm:NAME/],
  ["oci://example.com/../x", /expected oci:/],
  ["oci://-x/y", /expected oci:/],
  ["evil\nagent", /one line/],
])("the source %j is refused", async (text, why) => {
  using user = victim();
  const before = user.everything();
  expect(await user.fetchFrom(text)).toMatch(why);
  expect(user.everything()).toEqual(before);
});

test("a folder with a link or a pipe is refused", async () => {
  using user = victim();
  writeText(join(user.home, "evil/agent.mdx"), STRANGER);
  symlinkSync("/etc", join(user.home, "evil/skills"));
  expect(await user.fetchFrom("evil")).toMatch(/`skills` is a symbolic link/);
  execFileSync("rm", [join(user.home, "evil/skills")]);
  Bun.spawnSync(["mkfifo", join(user.home, "evil/pipe")]);
  expect(await user.fetchFrom("evil")).toMatch(/`pipe` is neither a file nor a folder/);
  expect(await user.fetchFrom("nothing")).toMatch(/there is no folder .*nothing/);
  expect(existsSync(join(user.home, "agents"))).toBe(false);
});

const packageOf = async (...entries: readonly TarEntry[]): Promise<Buffer> =>
  gzipSync(await packTar([file("package/agent.mdx", STRANGER), ...entries]));

/** A user of a registry, with its credentials in `.npmrc`. */
function npmUser(user: Victim, url: string, token = "right"): void {
  const { host } = new URL(url);
  writeFileSync(join(user.home, ".npmrc"), `registry=${url}\n//${host}/:_authToken=${token}\n`);
}

test("no script of a package runs, and what does not match its hash is refused", async () => {
  using user = victim();
  using registry = npmRegistry();
  npmUser(user, registry.url);
  const scripts = Object.fromEntries(
    ["preinstall", "install", "postinstall", "prepare"].map((name) => [name, `touch ${user.trace}`]),
  );
  const manifest = JSON.stringify({ name: "evil", version: "1.0.0", scripts, bundleDependencies: ["x"] });
  const archive = await packageOf(file("package/package.json", manifest), file("package/node_modules/x/i.js"));
  registry.add("evil", "1.0.0", archive);
  expect(await user.fetchFrom("npm:evil")).toEqual(["agent.mdx", "package.json"]);
  expect(existsSync(user.trace)).toBe(false);
  execFileSync("rm", ["-r", join(user.home, "agents")]);

  const before = user.everything();
  registry.add("evil", "1.1.0", archive, { integrity: `sha512-${Buffer.alloc(64).toString("base64")}` });
  expect(await user.fetchFrom("npm:evil")).toMatch(/evil@1\.1\.0 is not what was expected: it is sha512-/);
  registry.add("evil", "1.2.0", archive, { integrity: undefined, shasum: "0".repeat(40) });
  expect(await user.fetchFrom("npm:evil@^1.2.0")).toMatch(/evil@1\.2\.0 is not what was expected: it is sha1-/);
  registry.add("evil", "1.3.0", archive, { integrity: undefined });
  expect(await user.fetchFrom("npm:evil@1.3.0")).toMatch(/has no version `1\.3\.0`/);
  registry.add("evil", "1.4.0", await packageOf(other("package/x", "symlink", "/etc")));
  expect(await user.fetchFrom("npm:evil@1.4.0")).toMatch(/is a symbolic link/);
  registry.add("evil", "1.5.0", await packageOf(file("other/agent.mdx", "# Agent: Other\n")));
  expect(await user.fetchFrom("npm:evil@1.5.0")).toMatch(/`agent\.mdx` is in the package twice/);
  registry.add("evil", "1.6.0", await packageOf(file("package/package.json", '{"name": "good", "version": "1.6.0"}')));
  expect(await user.fetchFrom("npm:evil@1.6.0")).toMatch(/a package for npm:evil that calls itself `good`/);
  const integrity = `sha512-${Buffer.alloc(64, 1).toString("base64")}`;
  expect(await user.fetchFrom("npm:evil@1.0.0", { type: "npm", version: "1.0.0", integrity })).toMatch(
    /evil@1\.0\.0 is not what was expected/,
  );
  expect(await user.fetchFrom("npm:evil@9")).toMatch(/has no version `9`; the latest is 1\.6\.0/);
  expect(await user.fetchFrom("npm:none")).toMatch(/status 404/);
  registry.add("\u001b[2Jevil", "1.0.0\u001b[2J", archive);
  expect(await user.fetchFrom("npm:evil@1.0.0\u001b[2J")).toMatch(/has no version/);
  expect(user.everything()).toEqual(before);
});

test("credentials go to the registry alone, and a stranger's project cannot name where", async () => {
  using user = victim();
  using registry = npmRegistry({ token: "right" });
  using elsewhere = npmRegistry();
  npmUser(user, registry.url);
  elsewhere.add("evil", "1.0.0", await packageOf());
  const tarball = `${elsewhere.url}evil/-/evil-1.0.0.tgz`;
  registry.add("evil", "1.0.0", await packageOf(), { tarball });
  expect(await user.fetchFrom("npm:evil")).toEqual(["agent.mdx"]);
  expect(registry.authorizations).toEqual(["Bearer right"]);
  expect(elsewhere.authorizations).toEqual([null]);

  const project = join(user.home, "project");
  const { host } = new URL(elsewhere.url);
  writeText(
    join(project, ".npmrc"),
    `@acme:registry=${elsewhere.url}\n//${host}/:_authToken=\${SECRET}\n@bad:registry=${elsewhere.url}\${SECRET}/\n`,
  );
  elsewhere.add("@acme/evil", "1.0.0", await packageOf());
  await fetchSource(parseSource("npm:@acme/evil", project), {
    ...{ into: join(user.home, "second"), signal, currentDirectory: project },
    environment: { ...user.environment, SECRET: "secret" },
  });
  expect(elsewhere.authorizations.filter((one) => one !== null)).toEqual([]);
  expect(elsewhere.requests.join(" ")).not.toContain("secret");
});

/** Puts an artifact into a registry without asking. */
function putArtifact(
  registry: ReturnType<typeof ociRegistry>,
  layer: Uint8Array,
  changes: Readonly<Record<string, unknown>> = {},
): string {
  const descriptor = { mediaType: AGENT_LAYER, digest: digestOf(layer), size: layer.length };
  const manifest = { schemaVersion: 2, mediaType: MANIFEST_TYPE, artifactType: AGENT_TYPE, layers: [descriptor] };
  const bytes = Buffer.from(JSON.stringify({ ...manifest, ...changes }));
  registry.blobs.set(digestOf(layer), layer);
  for (const name of ["acme/evil:latest", `acme/evil@${digestOf(bytes)}`])
    registry.manifests.set(name, { bytes, type: MANIFEST_TYPE });
  return digestOf(bytes);
}

test("an artifact that is not what its digest says is refused", async () => {
  using user = victim();
  using registry = ociRegistry({ redirects: true });
  const source = `oci://${registry.host}/acme/evil`;
  const good = await archiveOf();
  const before = user.everything();
  const first = putArtifact(registry, good);
  registry.blobs.set(digestOf(good), await archiveOf(file("modules/evil.ts")));
  expect(await user.fetchFrom(source)).toMatch(/larger than|the content of .* is not what was expected: it is sha256:/);
  putArtifact(registry, await archiveOf(other("x", "symlink", "/etc")));
  expect(await user.fetchFrom(source)).toMatch(/is a symbolic link/);
  putArtifact(registry, gzipSync(Buffer.alloc(30 * 1024 * 1024)));
  expect(await user.fetchFrom(source)).toMatch(/more than 200 times its size/);
  putArtifact(registry, good, { artifactType: "application/vnd.other" });
  expect(await user.fetchFrom(source)).toMatch(/is not an agent but of type `application\/vnd\.other`/);
  putArtifact(registry, good, { layers: [{ mediaType: AGENT_LAYER, digest: "sha256:../../x", size: 1 }] });
  expect(await user.fetchFrom(source)).toMatch(/has no valid manifest/);
  const lie = registry.manifests.get("acme/evil:latest");
  if (lie !== undefined) registry.manifests.set(`acme/evil@${first}`, lie);
  expect(await user.fetchFrom(`${source}@${first}`)).toMatch(/is not what was expected: it is sha256:/);
  expect(await user.fetchFrom(source, { type: "oci", digest: first })).toMatch(/is not what was expected/);
  expect(await user.fetchFrom(`${source}:none`)).toMatch(/status 404/);
  expect(user.everything()).toEqual(before);

  putArtifact(registry, good);
  putArtifact(registry, await archiveOf(file("modules/evil.ts")));
  expect(await user.fetchFrom(source, { type: "oci", digest: first })).toEqual(["agent.mdx"]);
});

test("an address of an archive that redirects out of the encryption, or to what is no archive, is refused", async () => {
  using user = victim();
  const archive = await archiveOf();
  using server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === "/ok.tgz") return new Response(archive);
      if (pathname === "/plain.tgz") return Response.redirect("http://example.com/x.tgz");
      if (pathname === "/file.tgz") return Response.redirect("file:///etc/passwd");
      if (pathname === "/circle.tgz") return Response.redirect("/circle.tgz");
      if (pathname === "/once.tgz") return Response.redirect("/ok.tgz");
      if (pathname === "/page.tgz") return new Response("<html>");
      return new Response("", { status: 404 });
    },
  });
  const address = `http://127.0.0.1:${server.port}`;
  const before = user.everything();
  expect(await user.fetchFrom(`${address}/plain.tgz`)).toMatch(/example\.com is not encrypted/);
  expect(await user.fetchFrom(`${address}/file.tgz`)).toMatch(/is not encrypted|invalid address/);
  expect(await user.fetchFrom(`${address}/circle.tgz`)).toMatch(/redirects more than 5 times/);
  expect(await user.fetchFrom(`${address}/page.tgz`)).toMatch(/not a valid tar archive|no agent\.mdx/);
  expect(await user.fetchFrom(`${address}/none.tgz`)).toMatch(/status 404/);
  expect(await user.fetchFrom("http://127.0.0.1:1/x.tgz")).toMatch(/cannot reach 127\.0\.0\.1:1/);
  const integrity = `sha512-${Buffer.alloc(64).toString("base64")}`;
  expect(await user.fetchFrom(`${address}/ok.tgz`, { type: "archive", integrity })).toMatch(/is not what was expected/);
  expect(user.everything()).toEqual(before);
  expect(await user.fetchFrom(`${address}/once.tgz`)).toEqual(["agent.mdx"]);
});
