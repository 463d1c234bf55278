import { expect, test } from "bun:test";
import { join } from "node:path";
import { isRecord, recordOf } from "@mdx-ai/base";
import { restateProgram } from "../../../../test/support/restate-server.ts";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { parseArguments } from "../arguments/parse-arguments.ts";
import { SERVING_COMMANDS } from "../command-table/serving-commands.ts";
import { engineOptions } from "./engine-options.ts";

const ROOT = join(import.meta.dir, "../../../..");
const page = await Bun.file(join(ROOT, "docs/scale.md")).text();

/** The services of the page's compose file. */
function services(): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const [, text = ""] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { services: found } = recordOf(Bun.YAML.parse(text));
  return Object.fromEntries(Object.entries(recordOf(found)).map(([name, service]) => [name, recordOf(service)]));
}

const { restate = {}, worker = {} } = services();
const portOf = (address: string): number => Number(new URL(address).port);

test("the compose file starts the server's version of the tests, with settings that this version has", async () => {
  const versions = recordOf(JSON.parse(await Bun.file(join(ROOT, "package.json")).text()))["devDependencies"];
  const version = String(recordOf(versions)["@restatedev/restate-server"]);
  expect(restate["image"]).toBe(`docker.restate.dev/restatedev/restate:${version.split(".").slice(0, 2).join(".")}`);
  const program = restateProgram();
  if (program === undefined) {
    console.warn("partly skipped: @restatedev/restate-server is not installed");
    return;
  }
  using directory = temporaryDirectory();
  const environment = Object.fromEntries(
    Object.entries(recordOf(restate["environment"])).map(([k, v]) => [k, String(v)]),
  );
  const command = Array.isArray(restate["command"]) ? restate["command"].map(String) : [];
  const dump = Bun.spawnSync([program, ...command, "--dump-config"], { cwd: directory.path, env: environment });
  const settings = recordOf(Bun.TOML.parse(dump.stdout.toString()));
  expect(settings).toMatchObject({
    ...{ "node-name": "n1", "disable-telemetry": true },
    ingress: { "advertised-address": environment["RESTATE_INGRESS__ADVERTISED_ADDRESS"] },
  });
  expect(environment["RESTATE_INGRESS__ADVERTISED_ADDRESS"]).toBe("http://restate:8080/");
});

test("its workers are started by a command line of this program, whose addresses fit together", async () => {
  const [program, command, ...args] = String(worker["command"]).trim().split(/\s+/);
  expect([program, command]).toEqual(["mdx-ai", "serve"]);
  const serve = SERVING_COMMANDS.find(({ name }) => name === "serve");
  if (serve === undefined) throw new Error("no command serve");
  const parsed = await parseArguments(serve, args);
  const { address = "", port = 0, host = "", url = "" } = engineOptions(parsed) ?? {};
  // The names of the services are the names of their machines.
  expect([new URL(address).hostname, new URL(url).hostname]).toEqual(["restate", "worker"]);
  expect(portOf(address.replace("restate:", "http:"))).toBe(9070);
  expect(portOf(url)).toBe(port);
  expect([host, parsed.values.get("host")]).toEqual(["0.0.0.0", "0.0.0.0"]);
  const published = Array.isArray(worker["ports"]) ? String(worker["ports"][0]) : "";
  expect(published.endsWith(`:${parsed.values.get("port")}`)).toBe(true);
  const [from = 0, to = 0] = published.split(":")[0]?.split("-").map(Number) ?? [];
  expect(to - from + 1).toBe(Number(recordOf(worker["deploy"])["replicas"]));
  const [, variable = ""] = /^env:(\w+)$/.exec(parsed.values.get("token") ?? "") ?? [];
  expect(isRecord(worker["environment"]) && variable in worker["environment"]).toBe(true);
});

test("every message that the page explains is one of the program's", async () => {
  const files = [...new Bun.Glob("packages/{engine,cli,directory}/src/**/*.ts").scanSync(ROOT)];
  const texts = await Promise.all(files.map((file) => Bun.file(join(ROOT, file)).text()));
  const text = texts.join("\n").replaceAll(/\$\{[^}]*\}/g, "…");
  const [, list = ""] = page.split("## When something is wrong");
  const messages = list.split("\n").flatMap((line) => /^- `([^`]+)`/.exec(line)?.[1] ?? []);
  expect(messages.length).toBeGreaterThan(5);
  const parts = messages
    .flatMap((message) => message.split(/…|NAME|URL|DIR|\d+(?:\.\d+)?(?: s)?/))
    .map((part) => part.trim());
  expect(parts.filter((part) => !text.includes(part))).toEqual([]);
});
