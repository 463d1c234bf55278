import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ReflectionService } from "@grpc/reflection";
import type { JsonObject } from "@mdx-ai/base";
import { type GrpcTestServer, grpcServer, WEATHER_PROTO } from "../../support/grpc-server.ts";
import { skillTool, type TestedTool } from "../../support/skill-tool.ts";

let server: GrpcTestServer;

beforeAll(async () => {
  server = await grpcServer({ add: (one, definition) => new ReflectionService(definition).addToServer(one) });
});
afterAll(() => server[Symbol.asyncDispose]());

async function call(
  method: string,
  args: JsonObject = {},
  tested: TestedTool = {},
  port: number = server.port,
  prepare?: (folder: string) => void,
) {
  const address = `127.0.0.1:${port}`;
  const options = { network: [address], ...tested.options };
  await using made = skillTool(`grpc:${method.replace("HERE", address)}`, {
    properties: {},
    timeout: 20,
    ...tested,
    options,
  });
  prepare?.(made.folder);
  const result = await made.run(args);
  return { ...result, text: result.text.replaceAll(address, "HERE") };
}

const REPORT =
  '{"places":[{"tags":["a"],"city":"Vienna","days_ahead":"0"}],"text":"sun over Vienna","sky":"SUNNY","big":"9007199254740993","raw":"YWI=","at":null}';

const byProto: TestedTool = { files: { "weather.proto": WEATHER_PROTO }, settings: { proto: "weather.proto" } };

describe("a grpc entrypoint", () => {
  test.each([
    ["that asks the server", {}],
    ["with a proto file", byProto],
  ])("%s calls a unary method", async (_title, tested) => {
    const result = await call(
      "HERE/weather.v1.Weather/Forecast",
      { city: "Vienna", tags: ["a"], days_ahead: null },
      tested,
    );
    expect(result).toStrictEqual({ text: REPORT, isError: false });
    expect(server.seen.at(-1)).toBe(`{"city":"Vienna","tags":["a"]} 127.0.0.1:${server.port}`);
  });

  test("collects the answers of a stream, and stops one that has no end", async () => {
    const { text } = await call("HERE/weather.v1.Weather/Hours", { city: "x" });
    expect(JSON.parse(text).map((one: JsonObject) => one["text"])).toStrictEqual(["hour 0", "hour 1", "hour 2"]);
    const endless = await call("HERE/weather.v1.Weather/Hours", { city: "endless" });
    expect(endless.isError).toBe(false);
    expect(endless.text.slice(-200)).toContain("messages: the rest was not read]");
  });

  test("takes the server from the frontmatter", async () => {
    const settings = { grpc: `http://127.0.0.1:${server.port}` };
    expect((await call("weather.v1.Weather/Forecast", { city: "Rome" }, { settings })).text).toContain("sun over Rome");
  });

  test.each([
    ["HERE/weather.v1.Weather/Forecast", { city: "nowhere" }, "gRPC NOT_FOUND: there is no such place"],
    ["HERE/weather.v1.Weather/Forecast", { city: "huge" }, "gRPC RESOURCE_EXHAUSTED: "],
    [
      "HERE/weather.v1.Weather/Forecast",
      { town: "x" },
      "the message of the method has no field town; available: city, days_ahead, tags",
    ],
    ["HERE/weather.v1.Weather/Forecast", { tags: "x" }, "the arguments do not fit the message of the method: "],
    [
      "HERE/weather.v1.Weather/Nothing",
      {},
      "the service weather.v1.Weather has no method Nothing; available: Forecast, Hours, Collect, Slow",
    ],
    ["HERE/weather.v1.Nothing/X", {}, "the server does not know weather.v1.Nothing: "],
    ["HERE/weather.v1.Weather/Collect", {}, "Collect takes a stream of messages, which no tool can send"],
    ["127.0.0.1:1/weather.v1.Weather/Forecast", {}, "127.0.0.1 is an address of this machine or of a private network"],
    ["weather.v1.Weather/Forecast", {}, "the entrypoint names no server"],
    ["HERE/Forecast", {}, "names no method of a service"],
  ])("%s with %j fails: %s", async (method, args, text) => {
    const result = await call(method, args);
    expect([result.isError, result.text]).toStrictEqual([true, expect.stringContaining(text)]);
  });

  test("ends when its time is over", async () => {
    const result = await call("HERE/weather.v1.Weather/Slow", {}, { ...byProto, timeout: 0.5 });
    expect([result.isError, result.text]).toStrictEqual([true, expect.stringContaining("gRPC DEADLINE_EXCEEDED")]);
  });

  test("says that no server listens", async () => {
    await using gone = await grpcServer();
    await gone[Symbol.asyncDispose]();
    const result = await call("HERE/weather.v1.Weather/Forecast", {}, byProto, gone.port);
    expect([result.isError, result.text]).toStrictEqual([true, expect.stringContaining("gRPC UNAVAILABLE: ")]);
  });

  test("looks a name up once, and connects to the address that was checked", async () => {
    let asked = 0;
    const resolve = async (): Promise<readonly string[]> => [asked++ === 0 ? "203.0.113.1" : "127.0.0.1"];
    const method = `http://moving.example:${server.port}/weather.v1.Weather/Forecast`;
    const refused = await call(method, {}, { options: { network: [], resolve } });
    expect([asked, refused.text]).toStrictEqual([1, expect.stringContaining("moving.example leads to 203.0.113.1")]);
    const opened = await call(method, { city: "Oslo" }, { options: { resolve } });
    expect([asked, opened.text]).toStrictEqual([2, expect.stringContaining("sun over Oslo")]);
    expect(server.seen.at(-1)).toEndWith(`moving.example:${server.port}`);
  });

  test.each([
    ["../outside.proto", "the proto file ../outside.proto is not in the folder of the skill"],
    ["absent.proto", "absent.proto is missing, not a regular file, or larger than 1 MiB"],
    ["broken.proto", "the proto file broken.proto cannot be read: "],
    ["system.proto", "the proto file /etc/passwd is not in the folder of the skill"],
    ["weak.proto", "the proto file /etc/passwd is not in the folder of the skill"],
    ["upwards.proto", "outside.proto is not in the folder of the skill"],
    ["endless.proto", "the proto file /dev/zero is not in the folder of the skill"],
    ["pipe.proto", "pipe.proto is missing, not a regular file, or larger than 1 MiB"],
  ])("with the proto file %s fails: %s", async (proto, text) => {
    const files = {
      "broken.proto": "message {",
      "../outside.proto": WEATHER_PROTO,
      "system.proto": 'syntax = "proto3"; import "/etc" "/passwd";',
      "weak.proto": 'syntax = "proto3"; import public "/etc/passwd";',
      "upwards.proto": 'syntax = "proto3"; import "../outside.proto";',
      "endless.proto": 'syntax = "proto3"; import "/dev/zero";',
    };
    const prepare = (folder: string): void => void Bun.spawnSync(["mkfifo", `${folder}/pipe.proto`]);
    const result = await call(
      "HERE/weather.v1.Weather/Forecast",
      {},
      { files, settings: { proto } },
      server.port,
      prepare,
    );
    expect([result.isError, result.text]).toStrictEqual([true, expect.stringContaining(text)]);
  });
});

type Answer = (question: JsonObject) => { readonly file: readonly Buffer[] } | undefined;

const FILE = { name: "a.proto", package: "weather.v1", dependency: ["b.proto"] };

/** Answers with what a test says in place of the truth. */
async function lyingServer(answer: Answer): Promise<GrpcTestServer> {
  const { fromJSON } = await import("@grpc/proto-loader");
  const comment = "";
  const methods = {
    ServerReflectionInfo: { comment, requestType: "Q", requestStream: true, responseType: "A", responseStream: true },
  };
  const definition = fromJSON(
    {
      nested: {
        ServerReflection: { methods },
        Q: {
          fields: { file_by_filename: { type: "string", id: 3 }, file_containing_symbol: { type: "string", id: 4 } },
        },
        A: { fields: { files: { type: "Files", id: 4 } } },
        Files: { fields: { file: { rule: "repeated", type: "bytes", id: 1 } } },
      },
    },
    { keepCase: true },
  );
  const { ServerReflection } = definition;
  if (ServerReflection === undefined || "format" in ServerReflection) throw new Error("no service");
  const path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
  const info = ServerReflection["ServerReflectionInfo"];
  if (info === undefined || !("path" in info)) throw new Error("no method");
  return grpcServer({
    isWithoutService: true,
    add: (server) =>
      server.addService(
        { ServerReflectionInfo: { ...info, path } },
        {
          ServerReflectionInfo: (stream: NodeJS.ReadWriteStream & { write(message: object): void }) => {
            stream.on("data", (question: JsonObject) => {
              const said = answer(question);
              if (said === undefined) stream.end();
              else stream.write({ files: said });
            });
          },
        },
      ),
  });
}

/** A FileDescriptorProto with a name, a package and imports. */
function file({ name, package: packageName, dependency }: typeof FILE): Buffer {
  const field = (tag: number, text: string): Buffer =>
    Buffer.concat([Buffer.from([tag, text.length]), Buffer.from(text)]);
  return Buffer.concat([field(0x0a, name), field(0x12, packageName), ...dependency.map((one) => field(0x1a, one))]);
}

describe("a server that describes itself wrongly costs one error", () => {
  let count = 0;
  const cases: readonly (readonly [string, Answer, string])[] = [
    ["nothing", () => ({ file: [] }), "there is no service weather.v1.Weather"],
    ["the end", () => undefined, "the server ended the description of its service"],
    ["garbage", () => ({ file: [Buffer.from("garbage!")] }), "description of its service cannot be read"],
    [
      "a file that imports itself",
      () => ({ file: [file({ ...FILE, dependency: ["a.proto"] })] }),
      "there is no service weather.v1.Weather",
    ],
    [
      "another file than the one asked for",
      () => ({ file: [file(FILE)] }),
      "the server does not describe b.proto, which it needs for weather.v1.Weather",
    ],
    [
      "files without an end",
      () => ({ file: [file({ ...FILE, name: `f${count++}`, dependency: [`f${count}`] })] }),
      "the server's description of weather.v1.Weather is too large",
    ],
    [
      "a huge file",
      () => ({ file: [Buffer.alloc(2_000_000)] }),
      "the server's description of weather.v1.Weather is too large",
    ],
  ];
  test.each(cases)("with %s", async (_title, answer, text) => {
    await using liar = await lyingServer(answer);
    const result = await call("HERE/weather.v1.Weather/Forecast", {}, {}, liar.port);
    expect([result.isError, result.text.slice(0, 300)]).toStrictEqual([true, expect.stringContaining(text)]);
  });

  test("without reflection, it asks for a proto file", async () => {
    await using plain = await grpcServer();
    const result = await call("HERE/weather.v1.Weather/Forecast", {}, {}, plain.port);
    expect(result.text).toStartWith("the server does not describe its services: write `proto: FILE`");
  });
});
