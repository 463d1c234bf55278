import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeText } from "../support/agent-files.ts";
import { agentWithServers, bareServer, fileServer } from "../support/mcp-server-file.ts";
import { oauthMcpServer } from "../support/oauth-mcp-server.ts";
import { textReply, toolReply } from "../support/openai-replies.ts";
import { type OpenAiServer, openAiServer } from "../support/openai-server.ts";
import { noProcessesOf } from "../support/remaining-processes.ts";
import { type CliResult, cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { runCommandLine } from "../support/run-command-line.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

/** A server that notes each call, asks where a trip goes, and notes the answer. */
const TRIPS = bareServer(`
import { appendFileSync } from "node:fs";
const waiting = new Map();
handlers["tools/call"] = (id) => {
  appendFileSync("noted", "call ");
  waiting.set("trip", id);
  send({ id: "trip", method: "elicitation/create", params: {
    message: "Where to?",
    requestedSchema: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "integer", default: 1 } },
      required: ["city"],
    },
  } });
};
process.stdin.on("data", (data) => {
  for (const line of String(data).split("\\n").filter(Boolean)) {
    const message = JSON.parse(line);
    if (message.id !== "trip") continue;
    appendFileSync("noted", JSON.stringify(message.result) + " ");
    text(waiting.get("trip"), "Booked: " + JSON.stringify(message.result));
  }
});
`);

const SERVED = { "agent.mdx": agentWithServers(fileServer("trips", "server.mjs")), "server.mjs": TRIPS };
const SHELL = { "agent.mdx": "# Agent: Tea\n\n## Purpose\n\nBrew tea.\n" };

interface User extends Disposable {
  readonly home: string;
  readonly model: OpenAiServer;
  answer(...words: readonly string[]): Promise<CliResult>;
  run(...args: readonly string[]): Running;
  read(file: string): string;
}

interface Running extends AsyncDisposable {
  kill(): Promise<void>;
  ended(): Promise<CliResult>;
}

/** A user whose agent calls a tool once and says "Done." */
function user(files: Readonly<Record<string, string>>, call: { readonly name: string; readonly input: object }): User {
  const folder = temporaryDirectory();
  const home = folder.path;
  for (const [path, content] of Object.entries(files)) writeText(join(home, "agent", path), content);
  const model = openAiServer(toolReply({ id: "call_1", ...call }), textReply("Done."), textReply("Done again."));
  const environment = model.environment("deepseek");
  const run = (...args: readonly string[]): Running => {
    const allowed = ["agent", "agent", "--trust", "--sandbox", "off", "--allow", "mcp.trips.*"];
    const child = Bun.spawn(cliCommand([...allowed, "--model", "deepseek/deepseek-chat", ...args]), {
      ...{ cwd: home, env: cliEnvironment({ home, environment }) },
      ...{ stdin: "ignore", stdout: "pipe", stderr: "pipe" },
    });
    const [stdout, stderr] = [child.stdout.text(), child.stderr.text()];
    const kill = async (): Promise<void> => {
      child.kill("SIGKILL");
      await child.exited;
    };
    return {
      kill,
      ended: async () => ({ exitCode: await child.exited, stdout: await stdout, stderr: await stderr }),
      [Symbol.asyncDispose]: kill,
    };
  };
  return {
    home,
    model,
    run,
    answer: (...words) => runCommandLine(["answer", "agent", ...words], { home }),
    read: (file) => readFileSync(join(home, "agent", file), "utf8"),
    [Symbol.dispose]: () => {
      model[Symbol.dispose]();
      folder[Symbol.dispose]();
    },
  };
}

/** The questions that wait, once there is one. */
async function waiting({ answer }: User): Promise<readonly unknown[]> {
  for (let tries = 0; ; tries += 1) {
    const { stdout } = await answer("--json");
    const questions: readonly unknown[] = JSON.parse(stdout);
    if (questions.length > 0) return questions;
    if (tries === 100) throw new Error("no question was asked");
    await Bun.sleep(50);
  }
}

const BOOK = { name: "mcp_trips_greet", input: {} };

describe("an elicitation of an MCP server", () => {
  test("is listed to a second terminal, whose values the server gets", async () => {
    using ada = user(SERVED, BOOK);
    await using running = ada.run("-p", "Go", "--wait-for-answers");
    expect(await waiting(ada)).toMatchObject([
      {
        ...{ id: "1.1.1.1", session: "main", kind: "elicitation", server: "trips", default: "no", deadline: null },
        request: { type: "form", message: "Where to?" },
      },
    ]);
    expect((await ada.answer()).stdout).toBe(
      "1.1.1.1 main the MCP server trips asks: Where to? (city=…, days=…, no)\n",
    );
    expect(await ada.answer("1.1.1.1", "days=2")).toMatchObject({ exitCode: 2 });
    expect((await ada.answer("1.1.1.1", "city=Vienna", "days=2")).stdout).toContain("Answered 1.1.1.1 of session main");
    const { exitCode, stdout, stderr } = await running.ended();
    expect([exitCode, stdout]).toEqual([0, "Done.\n"]);
    expect(stderr).toContain(
      "question 1.1.1.1 is waiting for an answer: mdx-ai answer agent 1.1.1.1 city=… days=… --session main (or no;",
    );
    expect(ada.read("noted")).toBe('call {"action":"accept","content":{"days":2,"city":"Vienna"}} ');
    expect((await ada.answer("--json")).stdout).toBe("[]\n");
    await noProcessesOf(ada.home);
  });
});

/** The requests of a run whose question is answered at once, and of one that is dead then. Times are those of the machine. */
async function requests(
  make: () => User,
  words: readonly string[],
  isKilled: boolean,
): Promise<{ readonly bodies: readonly string[]; readonly noted: string }> {
  using ada = make();
  await using running = ada.run("-p", "Go", "--wait-for-answers");
  await waiting(ada);
  if (isKilled) await running.kill();
  expect(await ada.answer(...words)).toMatchObject({ exitCode: 0 });
  await using resumed = isKilled ? ada.run("--resume") : running;
  expect(await resumed.ended()).toMatchObject({ exitCode: 0 });
  await noProcessesOf(ada.home);
  const bodies = ada.model.requests.map(({ text }) => text.replaceAll(ada.home, "HOME"));
  return { bodies, noted: ada.read("noted") };
}

describe("a prompt that waits for an answer survives a kill, and asks the model the same as without it", () => {
  test.each([
    [
      "an approval",
      () => user(SHELL, { name: "bash", input: { command: "echo ran >> noted" } }),
      ["yes"],
      ["ran\n", "ran\n"],
    ],
    [
      "an elicitation",
      () => user(SERVED, BOOK),
      ["city=Vienna"],
      [
        'call {"action":"accept","content":{"days":1,"city":"Vienna"}} ',
        'call call {"action":"accept","content":{"days":1,"city":"Vienna"}} ',
      ],
    ],
  ] as const)("is answered while it is dead: %s", async (_name, make, words, [noted, notedAgain]) => {
    const atOnce = await requests(make, words, false);
    const killed = await requests(make, words, true);
    expect(atOnce.bodies).toHaveLength(2);
    expect(killed.bodies).toEqual(atOnce.bodies);
    expect([atOnce.noted, killed.noted]).toEqual([noted, notedAgain]);
  });
});

describe("a sign-in to an MCP server", () => {
  const asks = (url: string): User =>
    user(
      { "agent.mdx": agentWithServers(`  mail: {url: ${JSON.stringify(url)}}\n`) },
      { name: "bash", input: { command: "true" } },
    );

  test("is a question, which ends when the user has signed in", async () => {
    await using server = oauthMcpServer();
    using ada = asks(server.url);
    await using running = ada.run("-p", "Go", "--wait-for-answers", "--allow", "bash");
    const [question] = await waiting(ada);
    expect(question).toMatchObject({
      kind: "sign_in",
      server: "mail",
      session: "main",
      answers: ["no"],
      default: "no",
    });
    const { id, url } = Object(question);
    expect(await ada.answer(id, "yes")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("have signed in at"),
    });
    expect(await (await fetch(url)).text()).toContain("You are signed in.");
    expect(await running.ended()).toMatchObject({ exitCode: 0, stdout: "Done.\n" });
    expect(ada.model.requests[0]?.text).toContain("mcp_mail_echo");
    expect((await ada.answer("--json")).stdout).toBe("[]\n");
  });

  test("waits no longer when the user answers no, and the prompt goes on without the server", async () => {
    await using server = oauthMcpServer();
    using ada = asks(server.url);
    await using running = ada.run("-p", "Go", "--wait-for-answers", "--allow", "bash");
    await waiting(ada);
    const before = Date.now();
    expect(await ada.answer("no")).toMatchObject({ exitCode: 0 });
    const { exitCode, stderr } = await running.ended();
    expect(exitCode).toBe(0);
    expect(Date.now() - before).toBeLessThan(15_000);
    expect(stderr).toContain("the MCP server mail is not available: the sign-in failed: the user did not sign in");
    expect(ada.model.requests[0]?.text).not.toContain("mcp_mail_echo");
  });
});
