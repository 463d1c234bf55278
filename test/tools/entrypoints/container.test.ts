import { expect, test } from "bun:test";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject } from "@mdx-ai/base";
import { eventually } from "../../support/eventually.ts";
import { skillTool, type TestedTool } from "../../support/skill-tool.ts";
import { type TemporaryDirectory, temporaryDirectory } from "../../support/temporary-directory.ts";

/** A program of this name on a PATH of its own; it writes each call of it to `calls`, and its process to `pid`. */
function engine(name: "docker" | "podman", run: string): TemporaryDirectory & { readonly calls: () => string } {
  const folder = temporaryDirectory();
  const file = join(folder.path, name);
  const script = `#!/bin/sh\nprintf '%s\\n' "$*" >> '${folder.path}/calls'\n[ "$1" = rm ] && exit 0\n${run}\n`;
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return { ...folder, calls: () => readFileSync(join(folder.path, "calls"), "utf8") };
}

async function call(path: string, args: JsonObject, tested: TestedTool & { readonly signal?: AbortSignal } = {}) {
  const environment = { PATH: `${path}:/usr/bin:/bin`, DOCKER_HOST: "unix:///nowhere.sock", SECRET_KEY: "s3cret" };
  await using made = skillTool("container:example.org/tools/count:1.0", {
    properties: {},
    ...tested,
    options: { environment },
  });
  return made.run(args, tested.signal);
}

test("gives a container the arguments as JSON, and nothing else", async () => {
  using docker = engine("docker", 'echo "host $DOCKER_HOST key $SECRET_KEY"; exec cat');
  const result = await call(docker.path, { text: "a '$(b)'\n", none: null });
  expect(result).toStrictEqual({
    text: `host unix:///nowhere.sock key \n{"text":"a '$(b)'\\n"}\n`,
    isError: false,
  });
  expect(docker.calls()).toMatch(
    /^run --name mdx-ai-[\w-]+ --rm -i --network none --pull never --memory 1g --pids-limit 512 --cap-drop ALL --security-opt no-new-privileges example\.org\/tools\/count:1\.0\n$/,
  );
});

test("prefers podman, which needs no daemon", async () => {
  using podman = engine("podman", "echo podman");
  using docker = engine("docker", "echo docker");
  expect((await call(`${docker.path}:${podman.path}`, {})).text).toBe("podman\n");
});

test.each([
  ["echo out; echo oops >&2; exit 3", "the container ended with exit code 3:\nout\noops"],
  ["exit 127", "the container ended with exit code 127"],
  [
    "echo 'docker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?' >&2; exit 125",
    "docker is installed, but its daemon is not running:\ndocker: Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?",
  ],
  [
    "echo 'docker: Error response from daemon: No such image: example.org/tools/count:1.0' >&2; exit 125",
    "the image example.org/tools/count:1.0 is not on this machine, and calls do not download it; run `docker pull example.org/tools/count:1.0`:\ndocker: Error response from daemon: No such image: example.org/tools/count:1.0",
  ],
  [
    "echo 'unknown flag: --pull' >&2; exit 125",
    "docker could not run the image example.org/tools/count:1.0:\nunknown flag: --pull",
  ],
])("an engine that does %j is an error", async (run, text) => {
  using docker = engine("docker", run);
  expect(await call(docker.path, {})).toStrictEqual({ text, isError: true });
});

test("a result is within the limit", async () => {
  using docker = engine("docker", "yes | head -c 1000000");
  const { text } = await call(docker.path, {});
  expect(text.length).toBeLessThanOrEqual(32_000);
});

test("a container is removed when its time is over, or its call is aborted", async () => {
  using slow = engine("docker", 'echo $$ > "$(dirname "$0")/pid"; sleep 300');
  expect(await call(slow.path, {}, { timeout: 0.5 })).toStrictEqual({
    text: "the container was stopped: it timed out after 0.5 seconds",
    isError: true,
  });
  const removals = (): readonly string[] => slow.calls().match(/^rm --force mdx-ai-[\w-]+$/gm) ?? [];
  await eventually(() => expect(removals()).toHaveLength(1));
  expect(slow.calls()).toContain(`--name ${removals()[0]?.slice("rm --force ".length)} `);
  const abortion = new AbortController();
  const running = call(slow.path, {}, { signal: abortion.signal });
  await eventually(() => expect(slow.calls().match(/^run /gm)?.length).toBe(2));
  abortion.abort();
  expect((await running).isError).toBe(true);
  await eventually(() => expect(removals()).toHaveLength(2));
});

test("without podman and docker a call says so", async () => {
  using empty = temporaryDirectory();
  await using made = skillTool("container:count", { options: { environment: { PATH: empty.path } } });
  expect(await made.run()).toStrictEqual({
    text: "neither podman nor docker is on PATH: install one to run the tools with a `container:` entrypoint",
    isError: true,
  });
});

test("no program of the agent directory is an engine", async () => {
  await using made = skillTool("container:count", {
    files: { "bin/docker": "#!/bin/sh\ntouch pwned\n" },
    options: {},
  });
  chmodSync(join(made.folder, "bin/docker"), 0o755);
  await using own = skillTool("container:count", {
    options: { agentDir: made.directory, environment: { PATH: join(made.folder, "bin") } },
  });
  expect((await own.run()).text).toStartWith("neither podman nor docker is on PATH");
  expect(existsSync(join(made.directory, "pwned"))).toBe(false);
});

test.each([["--privileged"], ["-v/:/host image"], ["image; rm"], [""]])("%j is not an image", async (image) => {
  await using made = skillTool(`container:${image}`);
  const result = await made.run();
  expect([result.isError, result.text]).toStrictEqual([
    true,
    expect.stringContaining(`unexpected image ${JSON.stringify(image)}, expected a name`),
  ]);
});

// Docker is no package that a machine for tests must have: its client is tried where it is installed.
test.skipIf(Bun.which("docker") === null)("the real client says that its daemon is not there", async () => {
  const environment = { ...process.env, DOCKER_HOST: "unix:///nowhere/docker.sock" };
  await using made = skillTool("container:count", { options: { environment } });
  const { text, isError } = await made.run();
  expect([isError, text]).toStrictEqual([
    true,
    expect.stringMatching(/^(?:docker is installed, but its daemon is not running|podman)/),
  ]);
});

test("the access of a call is the command, for rules and for the user", async () => {
  using docker = engine("docker", "");
  const options = { environment: { PATH: docker.path } };
  await using made = skillTool("container:count:2", { options });
  expect(await made.tool.access?.({}, { agentDir: "/", cwd: "/" })).toStrictEqual({
    kind: "command",
    command:
      "docker run --rm -i --network none --pull never --memory 1g --pids-limit 512 --cap-drop ALL --security-opt no-new-privileges count:2",
  });
});
