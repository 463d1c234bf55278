import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isRecord } from "@mdx-ai/base";
import { engineBench } from "../support/engine-bench.ts";
import { restateProgram } from "../support/restate-server.ts";
import { told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

/** The server writes its files as they are. */
const PLAIN_FILES = {
  RESTATE_WORKER__STORAGE__ROCKSDB_DISABLE_WAL_COMPRESSION: "true",
  RESTATE_LOG_SERVER__ROCKSDB_DISABLE_WAL_COMPRESSION: "true",
  RESTATE_BIFROST__LOCAL__ROCKSDB_DISABLE_WAL_COMPRESSION: "true",
};

/** The names of the server's folders of which a file contains a text. */
const foldersWith = (folder: string, text: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readFileSync(join(entry.parentPath, entry.name)).includes(text))
    .map(({ parentPath }) => basename(parentPath));

test.skipIf(!isInstalled)(
  "a secret of the user is in no file of the server: not from titles, prompts, questions, answers, steering or results",
  async () => {
    await using bench = await engineBench({}, { serverEnvironment: PLAIN_FILES });
    const secret = String(bench.model.environment["DEEPSEEK_API_KEY"]);
    // The model says the secret, which the prompt spells in another way.
    const spelled = `\\u00${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`;
    const worker = await bench.start("--mode", "ask");
    await worker.send("POST", "sessions", { id: "one", title: `title of ${secret}` });
    const command = (id: string, text: string) => ({ calls: [{ id, name: "bash", input: { command: text } }] });
    const replies = [
      command("c1", "echo SPELLED >> said; cat said"),
      command("c2", "echo two"),
      { text: "SPELLED is it" },
    ];
    const text = told(`marker-of-prompt ${secret}`, ...replies).replaceAll("SPELLED", spelled);
    expect((await worker.send("POST", "sessions/one/prompts", { text })).status).toBe(202);
    const first = (await worker.eventsUntil("one", "question_asked")).at(-1)?.id;
    const steered = { text: `marker-of-steering ${secret}` };
    expect((await worker.send("POST", "sessions/one/steer", steered)).status).toBe(202);
    await worker.send("POST", "sessions/one/questions/1.1.1", { answer: "yes" });
    await worker.eventsUntil("one", "question_asked", first);
    const refusal = { answer: "no", reason: `marker-of-reason ${secret}` };
    expect((await worker.send("POST", "sessions/one/questions/1.2.1", refusal)).status).toBe(200);
    const events = await worker.eventsUntil("one", "agent_end");
    expect(events.at(-1)).toMatchObject({ outcome: "done" });
    expect(bench.linesOf("agent/said")).toEqual([secret]);
    const received = bench.model.requests.flatMap(({ body }) => body["messages"]).filter(isRecord);
    const notSaid = received.filter(({ role }) => role !== "assistant");
    expect(notSaid.some((message) => JSON.stringify(message).includes("[redacted DEEPSEEK_API_KEY]"))).toBe(true);
    expect(notSaid.filter((message) => JSON.stringify(message).includes(secret))).toEqual([]);
    for (const marker of [
      "title of [redacted",
      "marker-of-prompt [redacted",
      "marker-of-steering [redacted",
      "marker-of-reason [redacted",
    ])
      expect([marker, ...foldersWith(bench.server.data, marker)]).toEqual([marker, "log-store"]);
    expect(foldersWith(bench.server.data, secret)).toEqual([]);
  },
  120_000,
);
