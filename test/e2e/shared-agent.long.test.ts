import { describe, expect, test } from "bun:test";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fetchSource, hashTree, parseSource } from "@mdx-ai/directory/sources";
import { GREETING_AGENT, writeFiles, writeText } from "../support/agent-files.ts";
import { npmRegistry } from "../support/npm-registry.ts";
import { ociRegistry } from "../support/oci-registry.ts";
import { requireProgram } from "../support/require-program.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

interface Started {
  readonly code: number;
  readonly output: string;
}

/** Runs another program to its end. Not synchronously: its server is in this process. */
async function start(home: string, command: readonly string[]): Promise<Started> {
  const child = Bun.spawn([...command], {
    cwd: home,
    env: { PATH: process.env["PATH"], HOME: home, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [output, errors] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { code: await child.exited, output: output + errors };
}

const signal = new AbortController().signal;

describe.skipIf(requireProgram("npm"))("npm itself", () => {
  test("installs a published agent, and its program runs mdx-ai with the agent and the user's data", async () => {
    using home = temporaryDirectory();
    using registry = npmRegistry({ token: "right" });
    const { host } = new URL(registry.url);
    writeFileSync(
      join(home.path, ".npmrc"),
      `registry=${registry.url}\n//${host}/:_authToken=right\nupdate-notifier=false\n`,
    );
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT });
    const publish = ["publish", "agent", "npm:@acme/greeter@1.0.0"];
    expect(await runCommandLine(publish, { home: home.path })).toMatchObject({ exitCode: 0, stderr: "" });

    const fake = { name: "mdx-ai", version: "0.1.0", bin: { "mdx-ai": "bin/mdx-ai" } };
    writeText(join(home.path, "fake/package/package.json"), JSON.stringify(fake));
    writeText(
      join(home.path, "fake/package/bin/mdx-ai"),
      '#!/bin/sh\nfor word in "$@"; do echo "[$word]"; done\nexit 7\n',
    );
    execFileSync("chmod", ["755", join(home.path, "fake/package/bin/mdx-ai")]);
    execFileSync("tar", ["-C", join(home.path, "fake"), "-czf", join(home.path, "fake.tgz"), "package"]);
    registry.add("mdx-ai", "0.1.0", readFileSync(join(home.path, "fake.tgz")));

    const run = await start(home.path, ["npx", "--yes", "@acme/greeter", "-p", "Say hello"]);
    expect(run.output.split("\n")).toEqual([
      expect.stringMatching(/^\[.*\/node_modules\/@acme\/greeter\/agent\]$/),
      "[--data]",
      `[${home.path}/.local/state/mdx-ai/packages/@acme/greeter]`,
      "[-p]",
      "[Say hello]",
      "",
    ]);
    expect(run.code).toBe(7);

    // What npm installed is what was published.
    writeText(join(home.path, "project/package.json"), "{}");
    const installed = await start(home.path, ["npm", "install", "--prefix", "project", "@acme/greeter@^1.0.0"]);
    expect(installed).toMatchObject({ code: 0 });
    const folder = join(home.path, "project/node_modules/@acme/greeter/agent");
    expect(await hashTree(folder)).toBe(await hashTree(join(home.path, "agent")));
  }, 60_000);
});

describe.skipIf(requireProgram("skopeo"))("skopeo", () => {
  test("copies a packed artifact to a registry and back, and it stays the same agent", async () => {
    using home = temporaryDirectory();
    using registry = ociRegistry();
    writeFiles(home.path, { "agent/agent.mdx": GREETING_AGENT, "agent/data/words.txt": "x".repeat(100_000) });
    const pack = ["pack", "agent", "--format", "oci", "--as", "@1.0.0"];
    expect(await runCommandLine(pack, { home: home.path })).toMatchObject({ exitCode: 0, stderr: "" });
    const target = `docker://${registry.host}/acme/greeter:1.0.0`;
    const archive = "oci-archive:agent.oci.tar:1.0.0";
    const copy = ["skopeo", "--insecure-policy", "copy", "--preserve-digests"];
    const copied = await start(home.path, [...copy, "--dest-tls-verify=false", archive, target]);
    expect(copied).toMatchObject({ code: 0 });
    const fetched = await fetchSource(parseSource(`oci://${registry.host}/acme/greeter:1.0.0`, home.path), {
      ...{ into: join(home.path, "fetched"), environment: { HOME: home.path }, signal },
    });
    expect(fetched.hash).toBe(await hashTree(join(home.path, "agent")));

    // What mdx-ai publishes, skopeo reads.
    const publish = ["publish", "agent", `oci://${registry.host}/acme/second:1.0.0`];
    expect(await runCommandLine(publish, { home: home.path })).toMatchObject({ exitCode: 0, stderr: "" });
    const second = `docker://${registry.host}/acme/second:1.0.0`;
    const back = await start(home.path, [...copy, "--src-tls-verify=false", second, "oci:copied:1.0.0"]);
    expect(back).toMatchObject({ code: 0 });
    expect(await Bun.file(join(home.path, "copied/index.json")).json()).toMatchObject({
      manifests: [{ digest: fetched.origin.type === "oci" ? fetched.origin.digest : "" }],
    });
  }, 60_000);
});
