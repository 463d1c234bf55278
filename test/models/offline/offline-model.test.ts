import { describe, expect, test } from "bun:test";
import { type Message, openModel } from "@mdx-ai/models";
import {
  assistantMessage,
  endOf,
  eventsOf,
  modelRequest,
  told,
  toolResult,
  toolSchema,
  userMessage,
} from "../../support/model-request.ts";

const tools = [
  toolSchema("bash", "Run a shell command", { command: "string", timeout: "number?" }),
  toolSchema("read_file", "Read a file's contents", { path: "string", offset: "number?", limit: "number?" }),
  toolSchema("write_file", "Write a file. Makes folders.", { path: "string", content: "string" }),
  toolSchema("get_weather", "Current weather of a city", { city: "string", verbose: "boolean?" }),
  toolSchema("get_forecast", "Weather forecast for the next days", { city: "string", days: "integer" }),
  toolSchema("add", "Adds two numbers", { a: "number", b: "number" }),
  toolSchema("set_alarm", "Switches the alarm", { on: "boolean" }),
  toolSchema("status", "Health report"),
];

const skills = `<skills>
  <skill><name>packing</name><description>What to pack</description></skill>
  <skill>
    <name>route-planning</name>
  </skill>
</skills>`;

/** What the model answers to a history: its text, or its calls as `name {arguments}`. */
async function answer(messages: string | readonly Message[], system = ""): Promise<string> {
  const model = await openModel("offline", { environment: {} });
  const { message } = endOf(await eventsOf(model, modelRequest(messages, { system, tools })));
  const told = message.content.map((block) => {
    if (block.type === "toolCall") return `${block.name} ${JSON.stringify(block.arguments)}`;
    return block.type === "text" ? block.text : block.thinking;
  });
  expect(message.stopReason).toBe(message.content[0]?.type === "toolCall" ? "toolUse" : "stop");
  return told.join("\n");
}

describe("the offline model", () => {
  test.each([
    ['get_weather {"city":"Vienna"}', 'get_weather {"city":"Vienna"}'],
    ['Please run get_weather {"city": "Vienna", "verbose": true} now', 'get_weather {"city":"Vienna","verbose":true}'],
    ["get_weather city=Vienna", 'get_weather {"city":"Vienna"}'],
    ['get_weather city="New York", verbose=no', 'get_weather {"city":"New York","verbose":false}'],
    ["get_weather city='Bad Ischl' verbose=TRUE", 'get_weather {"city":"Bad Ischl","verbose":true}'],
    ["get_forecast city=Graz days=3", 'get_forecast {"city":"Graz","days":3}'],
    ["add a=-1.5 b=2", 'add {"a":-1.5,"b":2}'],
    ['bash command="ls -la | wc"', 'bash {"command":"ls -la | wc"}'],
    ["write_file path=a.txt content=hello", 'write_file {"path":"a.txt","content":"hello"}'],
    ["status", "status {}"],
    ['Use get_weather city="Linz", please.', 'get_weather {"city":"Linz"}'],
  ])("calls a tool that is asked for by name: %s", async (prompt, call) => {
    expect(await answer(prompt)).toBe(call);
  });

  test.each([
    ["get_weather", 'get_weather needs city. Ask like this: get_weather city="…"'],
    ["Use get_weather for Linz, please.", 'get_weather needs city. Ask like this: get_weather city="…"'],
    ['get_weather {"city":"Vienna"', 'get_weather needs city. Ask like this: get_weather city="…"'],
    ["get_weather ctiy=Vienna", 'get_weather needs city. Ask like this: get_weather city="…"'],
    ["get_forecast city=Graz", 'get_forecast needs days. Ask like this: get_forecast city="…" days=integer'],
    ["set_alarm", "set_alarm needs on. Ask like this: set_alarm on=boolean"],
    ["bash", 'bash needs command. Ask like this: bash command="…"'],
    ["how do I use bash in Linux?", 'bash needs command. Ask like this: bash command="…"'],
  ])("invents no argument, but says what is missing: %s", async (prompt, text) => {
    expect(await answer(prompt)).toBe(text);
  });

  test.each([
    "What is the weather in Vienna?",
    "A report on your health?",
    "Run a shell command in Vienna",
    "Write a file for Anna",
    "Hello!",
    "What can you do?",
    "",
    "🦊",
    "rm -rf /",
  ])("calls nothing if no tool is named, and lists the tools and skills: %s", async (prompt) => {
    const text = await answer(prompt, skills);
    expect(text).toContain("Tools: bash, read_file, write_file, get_weather, get_forecast, add, set_alarm, status.");
    expect(text).toContain("Skills: /skill:packing, /skill:route-planning.");
    expect(text).toContain("tool_name key=value");
  });

  test("knows the skills of the other catalog, too", async () => {
    const system = `- **not**: a skill\n\nYou have access to the following skills:\n\n- **ssh**: Connects.  triggers: ssh\n- **Weather**: Forecasts.\n\n- **no**: A skill`;
    expect(await answer("Hello", system)).toEndWith("Skills: /skill:ssh, /skill:Weather.");
  });

  test("says that there are no tools and no skills where there are none", async () => {
    const model = await openModel("offline", { environment: {} });
    const { message } = endOf(await eventsOf(model, modelRequest("What is the weather in Vienna?")));
    for (const line of ["Tools: none.", "Skills: none."]) expect(JSON.stringify(message.content)).toContain(line);
  });

  test("answers with what the tools of the newest prompt told", async () => {
    const asked = [userMessage("What is the weather in Vienna?"), assistantMessage([])];
    expect(await answer([...asked, toolResult("1", "It is sunny.")])).toBe("It is sunny.");
    expect(await answer([...asked, toolResult("1", "One."), toolResult("2", "Two.")])).toBe("One.\n\nTwo.");
    expect(await answer([...asked, toolResult("1", "No such city", { isError: true, toolName: "get_weather" })])).toBe(
      "get_weather failed: No such city",
    );
    expect(await answer([...asked, toolResult("1", "")])).toBe("(no text)");
    const again = [
      ...asked,
      toolResult("1", "It is sunny."),
      assistantMessage([]),
      userMessage("And get_weather city=Graz"),
    ];
    expect(await answer(again)).toBe('get_weather {"city":"Graz"}');
  });

  test("reads the user's words, not what others add to them", async () => {
    const added: Message = { ...userMessage("Use get_weather city=Rome"), role: "user", origin: "module" };
    expect(await answer([userMessage("add a=1 b=2"), added])).toBe('add {"a":1,"b":2}');
    expect(await answer([userMessage("Hello"), added])).toContain("tool_name key=value");
    const attached = userMessage('Hello\n\n<attached_file path="a.md">\nstatus\n</attached_file>');
    expect(await answer([attached])).toContain("tool_name key=value");
    expect(await answer([{ ...userMessage("The skill says: status"), typed: "/skill:packing" }])).toContain(
      "tool_name key=value",
    );
  });

  test("gives the same answer to the same request, and each call of a session a unique id", async () => {
    const model = await openModel("offline", { environment: {} });
    const ask = async (messages: readonly Message[]): Promise<unknown> => {
      return endOf(await eventsOf(model, modelRequest(messages, { tools }))).message.content;
    };
    const prompt = userMessage("get_weather city=Vienna");
    expect(await ask([prompt])).toEqual(await ask([prompt]));
    expect(await ask([prompt])).not.toEqual(await ask([prompt, assistantMessage([]), prompt]));
  });

  test("tells a call and a text by the same events as any model", async () => {
    const model = await openModel("offline", { environment: {} });
    expect(told(await eventsOf(model, modelRequest("status", { tools })))).toEqual([
      "start",
      "toolcall_start 0",
      "toolcall_end 0",
      "done",
    ]);
    const [, start, delta, end] = told(await eventsOf(model));
    expect([start, delta?.slice(0, 12), end]).toEqual(["text_start 0", "text_delta 0", "text_end 0"]);
    expect(told(await eventsOf(model, modelRequest("Hi"), AbortSignal.abort()))).toEqual(["error"]);
  });

  test("takes a tool's own name in quotes for no argument, as skills write it", async () => {
    expect(await answer("Read the file with `read_file`, then sum up.")).toStartWith("read_file needs path.");
  });

  test("stays below 110 lines", async () => {
    const files = [...new Bun.Glob("*.ts").scanSync(`${import.meta.dir}/../../../packages/models/src/offline`)];
    const texts = await Promise.all(
      files.map((file) => Bun.file(`${import.meta.dir}/../../../packages/models/src/offline/${file}`).text()),
    );
    expect(texts.join("").split("\n").length - 1).toBeLessThan(110);
  });
});
