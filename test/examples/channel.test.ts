import { expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { copyExamples } from "../support/example-copy.ts";
import { scriptReference } from "../support/replies.ts";
import { cliCommand, cliEnvironment } from "../support/run-cli.ts";
import { temporaryDirectory } from "../support/temporary-directory.ts";

setDefaultTimeout(60_000);

const SECRET = "a-secret-of-the-channel";
const signature = (body: string): string => `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;

test("a signed webhook prompts the agent once, and its answer is posted, signed", async () => {
  using home = temporaryDirectory();
  copyExamples(join(home.path, "channel"), "channel");
  const posted: { readonly body: string; readonly signature: string | null }[] = [];
  using receiver = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    async fetch(request) {
      posted.push({ body: await request.text(), signature: request.headers.get("x-signature") });
      return new Response();
    },
  });
  const model = scriptReference(home.path, [{ text: "It rains." }, { text: "unasked" }]);
  const environment = { WEBHOOK_SECRET: SECRET, WEBHOOK_PORT: "0", WEBHOOK_ANSWERS: receiver.url.href };
  const child = Bun.spawn(cliCommand(["serve", "channel", "--trust", "--model", model]), {
    ...{ cwd: home.path, env: cliEnvironment({ home: home.path, environment }), stdin: "ignore" },
    ...{ stdout: "ignore", stderr: "ignore" },
  });
  try {
    const logs = (): string => {
      const folder = join(home.path, "channel/logs");
      const names = readdirSync(join(home.path, "channel")).includes("logs") ? readdirSync(folder) : [];
      return names.map((name) => readFileSync(join(folder, name), "utf8")).join("");
    };
    const address = (): string | undefined => /http:\/\/127\.0\.0\.1:\d+\/webhook/.exec(logs())?.[0];
    await eventually(() => address() !== undefined, logs);
    const send = async (body: string, signed = signature(body)): Promise<number> =>
      (await fetch(address() ?? "", { method: "POST", body, headers: { "x-signature": signed } })).status;
    const body = JSON.stringify({ id: "m1", text: "How is the weather?" });
    expect(await send(body, signature(`${body} `))).toBe(401);
    expect(await send(body, "")).toBe(401);
    expect(await send('{"id":1}')).toBe(422);
    expect([await send(body), await send(body)]).toEqual([202, 202]);
    await eventually(() => posted.length > 0);
    const answer = JSON.stringify({ id: "m1", answer: "It rains.", outcome: "done" });
    expect(posted).toEqual([{ body: answer, signature: signature(answer) }]);
  } finally {
    child.kill("SIGKILL");
    await child.exited;
  }
});
