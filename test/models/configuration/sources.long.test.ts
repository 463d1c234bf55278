import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { accessOf, ConfigurationError, type ResolvedConfiguration, resolveConfiguration } from "@mdx-ai/models";
import { temporaryDirectory } from "../../support/temporary-directory.ts";

const secret = "sk-ant-very-secret";

const inline = (text: string): Promise<ResolvedConfiguration> =>
  resolveConfiguration({ environment: { LLM_PROVIDER_CONFIG: text }, cwd: "/" });

/** Resolves with a file that holds a text or bytes. */
async function file(content: string | Uint8Array, name = "my.yaml"): Promise<ResolvedConfiguration> {
  using directory = temporaryDirectory();
  writeFileSync(join(directory.path, name), content);
  return await resolveConfiguration({ environment: {}, file: name, cwd: directory.path });
}

const failureOf = (resolving: Promise<unknown>): Promise<unknown> => resolving.catch((error: unknown) => error);

/** The error of a source, which must be one line, and say no secret. */
async function problemOf(resolving: Promise<unknown>): Promise<string> {
  const error = await failureOf(resolving);
  expect(error).toBeInstanceOf(ConfigurationError);
  const message = error instanceof Error ? error.message : "";
  expect(message).not.toContain("\n");
  expect(message).not.toContain("secret");
  expect(message.length).toBeLessThan(400);
  return message;
}

const whole = {
  vendor: "azure",
  model: ["a", "b"],
  api_key: secret,
  base_url: "https://mine.openai.azure.com/",
  api_version: "2024-02-01",
  temperature: 0,
  max_tokens: 4096,
  timeout: 120.0,
  thinking: { budget: 1024 },
  reasoning_effort: "low",
  stream: false,
  retries: [5, 15, 45],
  offline: false,
};

const wholeYaml = `# Azure
vendor: azure
model: [a, b]
api_key: "${secret}"
base_url: https://mine.openai.azure.com/
api_version: 2024-02-01
temperature: 0
max_tokens: 4096
timeout: 120.0
thinking:
  budget: 1024
reasoning_effort: low
stream: false
retries: [5, 15, 45]
offline: false
`;

describe("a whole configuration means the same", () => {
  const sources: readonly [string, () => Promise<ResolvedConfiguration>][] = [
    ["inline", () => inline(JSON.stringify(whole))],
    ["inline with white space", () => inline(`\ufeff\r\n${JSON.stringify(whole, undefined, "\t")}\n`)],
    ["in a JSON file", () => file(JSON.stringify(whole, undefined, 2), "my.json")],
    ["in a JSON file with tabs and CRLF", () => file(JSON.stringify(whole, undefined, "\t").replaceAll("\n", "\r\n"))],
    ["in YAML", () => file(wholeYaml)],
    ["in YAML with CRLF and a byte-order mark", () => file(`\ufeff${wholeYaml.replaceAll("\n", "\r\n")}`)],
  ];
  test.each(sources)("%s", async (_title, resolve) => {
    const all = await resolve();
    expect(
      all.models.map((model) => {
        const { key, address, apiVersion } = accessOf(model) ?? {};
        return [model.reference.value, key?.value, address?.value, apiVersion?.value];
      }),
    ).toEqual(["azure/a", "azure/b"].map((name) => [name, secret, whole.base_url, "2024-02-01"]));
    const { temperature, max_tokens, timeout, thinking, reasoning_effort, stream, retries } = whole;
    expect(all).toMatchObject({
      temperature: { value: temperature },
      max_tokens: { value: max_tokens },
      timeout: { value: timeout },
      thinking: { value: thinking },
      reasoning_effort: { value: reasoning_effort },
      stream: { value: stream },
      retries: { value: retries },
    });
  });

  test.each(["", "# a comment", "{}", "---\n", "null"])("and %j says nothing", async (text) => {
    expect((await file(text)).models[0]?.reference.origin).toBe("default");
  });
});

describe("a mistake is reported with its position", () => {
  const rows: readonly [string, string, string, string][] = [
    ["a field that there is not", "vendor: openai\ntemprature: 1", "2:1", "field `temprature`, expected one of"],
    ["one in the other way of writing", "apiKey: x", "1:1", "; did you mean `api_key`?"],
    ["one with swapped letters", "modle: x", "1:1", "did you mean `model`?"],
    ["one that nothing is like", "favourite: 1", "1:1", "expected one of vendor, model, api_key"],
    ["a prototype", "__proto__: {vendor: openai}", "1:1", "`__proto__`, expected one of"],
    ["a constructor", "constructor: x", "1:1", "`constructor`, expected one of"],
    [
      "a text for a number",
      "temperature: warm",
      "1:14",
      "unexpected `warm` as `temperature`, expected a number from 0 to 2",
    ],
    ["a number out of range", "temperature: 2.1", "1:14", "unexpected `2.1` as `temperature`"],
    ["a negative number", "temperature: -0.1", "1:14", "temperature"],
    ["half a token", "max_tokens: 1.5", "1:13", "expected a whole number above 0"],
    ["no time at all", "timeout: 0", "1:10", "expected a number of seconds above 0"],
    ["a list for a text", "vendor: [openai]", "1:9", "unexpected a list as `vendor`"],
    ["a map for a text", "model: {a: b}", "1:8", "unexpected a map as `model`"],
    ["nothing", "vendor:", "1:8", "unexpected nothing as `vendor`"],
    ["an unknown vendor", "vendor: antropic", "1:9", "did you mean `anthropic`?"],
    [
      "an interface that there is not",
      "api: completions",
      "1:6",
      "unexpected `completions` as `api`, expected `chat` or `responses`",
    ],
    ["no URL", "base_url: localhost:1234", "1:11", "unexpected value as `base_url`, expected an http or https URL"],
    ["another protocol", "base_url: file:///etc/passwd", "1:11", "unexpected value as `base_url`"],
    ["a key that is no text", "api_key: 123456", "1:10", "unexpected value as `api_key`, expected a text"],
    ["an empty key", 'api_key: " "', "1:10", "unexpected value as `api_key`"],
    ["a switch in words", "stream: maybe", "1:9", "expected `true` or `false`"],
    [
      "a way of thinking that there is not",
      "thinking: hard",
      "1:11",
      "expected `adaptive`, `off` or `{budget: TOKENS}`",
    ],
    ["too many models", `model: [${"a, ".repeat(11)}]`, "1:8", "unexpected a list as `model`"],
    ["a list without models", "model: []", "1:8", "unexpected a list as `model`"],
    ["an endless wait", "retries: [.inf]", "1:11", "unexpected nothing as `retries`, expected a number of seconds"],
    ["a field twice", "vendor: openai\nvendor: azure", "2:1", "unexpected YAML (duplicate key)"],
    ["a tag that nobody resolves", `api_key: !env ${secret}`, "1:10", "unexpected YAML (tag resolve failed)"],
    ["a text", secret, "1:1", "unexpected YAML (not a map)"],
    ["a list", `- ${secret}`, "1:1", "unexpected YAML (not a map)"],
    ["two documents", "vendor: openai\n---\nvendor: azure", "2:1", "unexpected YAML (multiple docs)"],
    ["a quote that is not closed", `api_key: "${secret}`, "1:", "unexpected YAML (missing char)"],
    ["a key without a colon's blank", `vendor: openai\napi_key:${secret}`, "2:1", "unexpected YAML"],
    ["an alias of itself", "model: &a [*a]", "1:", "unexpected"],
    ["an alias of nothing", "model: *a", "1:8", "unexpected YAML"],
    ["a name that is a list", "[a]: b", "1:1", "unexpected field `[ a ]`"],
  ];
  for (const [title, yaml, place, words] of rows) {
    for (const newline of ["\n", "\r\n"]) {
      test(`${title}${newline === "\n" ? "" : ", with CRLF"}`, async () => {
        const problem = await problemOf(file(yaml.replaceAll("\n", newline)));
        expect(problem).toStartWith(`my.yaml:${place}`);
        expect(problem).toContain(words);
      });
    }
  }

  test.each([
    ["a field that there is not", '{"temprature": 1}', "did you mean `temperature`?"],
    ["a wrong type", '{"temperature": "warm"}', "unexpected `warm` as `temperature`"],
    ["a field twice", '{"vendor": "openai", "model": {"vendor": "x"}, "vendor": "azure"}', 'duplicate field "vendor"'],
    ["a field twice, once escaped", '{"vendor": "openai", "\\u0076endor": "azure"}', 'duplicate field "vendor"'],
    ["a prototype", '{"__proto__": {"vendor": "openai"}}', "`__proto__`, expected one of"],
    ["JSON that breaks off", `{"api_key": "${secret}`, "expected a JSON object"],
    ["YAML", `api_key: ${secret}`, "expected a JSON object"],
    ["a list", `["${secret}"]`, "expected a JSON object"],
    ["a text", `"${secret}"`, "expected a JSON object"],
    ["nothing", "null", "expected a JSON object"],
    ["a number that is none", '{"temperature": 1e999}', "as `temperature`"],
    ["a key that is a map", `{"api_key": {"${secret}": 1}}`, "unexpected a map as `api_key`"],
    ["a key that is a list", `{"api_key": ["${secret}"]}`, "unexpected a list as `api_key`"],
    ["many brackets", `{"model": ${"[".repeat(20_000)}${"]".repeat(20_000)}}`, "unexpected a list as `model`"],
    ["a long name", `{"${"x".repeat(60_000)}": 1}`, "unexpected field"],
    ["more than a configuration can be", `{"api_key": "${secret.repeat(5_000)}"}`, "longer than 65536"],
  ])("inline: %s", async (_title, text, words) => {
    const problem = await problemOf(inline(text));
    expect(problem).toStartWith("LLM_PROVIDER_CONFIG: ");
    expect(problem).toContain(words);
  });

  test("a field of the same name within another is no second one", async () => {
    const text = '{"model": "a\\"vendor\\":b", "vendor": "openai", "thinking": {"budget": 5}}';
    expect((await inline(text)).models[0]?.reference.value).toBe('openai/a"vendor":b');
  });
});

describe("a file that cannot be read is reported", () => {
  test("that does not exist", async () => {
    using directory = temporaryDirectory();
    const resolving = resolveConfiguration({ environment: {}, file: "no.yaml", cwd: directory.path });
    expect(await problemOf(resolving)).toBe("no.yaml: cannot read the file (no such file)");
  });

  test("where it is a folder", async () => {
    using directory = temporaryDirectory();
    mkdirSync(join(directory.path, "folder"));
    const resolving = resolveConfiguration({ environment: {}, file: "folder", cwd: directory.path });
    expect(await problemOf(resolving)).toBe("folder: cannot read the file (it is a folder)");
  });

  test("where a folder of its path is a file", async () => {
    using directory = temporaryDirectory();
    writeFileSync(join(directory.path, "a.yaml"), "");
    const resolving = resolveConfiguration({ environment: {}, file: "a.yaml/b.yaml", cwd: directory.path });
    expect(await problemOf(resolving)).toBe("a.yaml/b.yaml: cannot read the file (a folder of its path is a file)");
  });

  test("where it is not UTF-8", async () => {
    expect(await problemOf(file(new Uint8Array([0x61, 0x3a, 0x20, 0xff])))).toBe("my.yaml: is not UTF-8");
    expect(await problemOf(file(Buffer.from("vendor: openai", "utf16le")))).toContain("my.yaml:");
  });

  test("where it is huge or never ends", async () => {
    expect(await problemOf(file(`# ${"x".repeat(10_000_000)}`))).toContain("longer than 65536 bytes");
    const resolving = resolveConfiguration({ environment: {}, file: "/dev/zero", cwd: "/" });
    expect(await problemOf(resolving)).toContain("/dev/zero: is longer than 65536 bytes");
  });

  test.each([
    ["brackets", "[".repeat(60_000)],
    ["aliases in a field", `model: [&a x, ${"*a,".repeat(20_000)}]`],
    ["aliases of aliases", `model: [&a [x, x], &b [*a, *a], &c [*b, *b], &d [*c, *c], &e [*d, *d], *e]`],
    ["aliases", `a: &a [x]\n${Array.from({ length: 3000 }, (_, index) => `b${index}: [*a, *a]`).join("\n")}`],
    ["fields", Array.from({ length: 5000 }, (_, index) => `field${index}: 1`).join("\n")],
    ["an indentation for each line", Array.from({ length: 300 }, (_, index) => `${" ".repeat(index)}a:`).join("\n")],
  ])("where it holds ever more %s", async (_title, text) => {
    expect(await problemOf(file(text))).toStartWith("my.yaml:");
  });
});

test("a pipe is read as a file is", async () => {
  using directory = temporaryDirectory();
  const pipe = join(directory.path, "pipe");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  const writer = Bun.spawn(["sh", "-c", 'echo "model: offline" > "$1"', "sh", pipe]);
  const { models } = await resolveConfiguration({ environment: {}, file: pipe, cwd: "/" });
  expect(models[0]?.reference.value).toBe("offline");
  expect(await writer.exited).toBe(0);
});
