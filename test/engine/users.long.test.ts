import { expect, test } from "bun:test";
import { engineBench } from "../support/engine-bench.ts";
import { restateProgram } from "../support/restate-server.ts";
import type { Json } from "../support/served-agent.ts";
import { told } from "../support/told-model.ts";

const isInstalled = restateProgram() !== undefined;
if (!isInstalled) console.warn("skipped: @restatedev/restate-server is not installed");

test.skipIf(!isInstalled)(
  "each user has sessions of their own on all workers, also where two have the same id",
  async () => {
    await using bench = await engineBench();
    const options = ["--allow-all", "--user-header", "x-user"];
    const one = await bench.start(...options);
    const other = await bench.start(...options);
    for (const user of ["ada", "ben"]) {
      const as = { "x-user": user };
      expect((await one.send("POST", "sessions", { id: "same" }, as)).status).toBe(201);
      const text = told(user, { text: `Hello ${user}.` });
      expect((await one.send("POST", "sessions/same/prompts", { text }, as)).status).toBe(202);
    }
    await one.send("POST", "sessions", { id: "more" }, { "x-user": "ada" });
    for (const [user, ids, stranger] of [
      ["ada", ["main", "more", "same"], "ben"],
      ["ben", ["main", "same"], "ada"],
    ] as const) {
      const ask = async (path: string): Promise<Json> =>
        (await other.send("GET", path, undefined, { "x-user": user })).json();
      let text = "";
      while (!text.includes(`Hello ${user}.`)) text = JSON.stringify(await ask("sessions/same/messages"));
      expect(text).not.toContain(stranger);
      const { sessions } = await ask("sessions");
      expect(sessions.map(({ id }: Json) => id).toSorted()).toEqual([...ids]);
    }
  },
  120_000,
);
