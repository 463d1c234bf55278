import { expect, test } from "bun:test";
import { agentDirectory } from "../../support/agent-directory.ts";
import { textReply } from "../../support/anthropic-replies.ts";
import { anthropicServer } from "../../support/anthropic-server.ts";
import { requireProgram } from "../../support/require-program.ts";
import { during, open, rolesOf, userTexts, waiting, work } from "../../support/steering-bench.ts";

const textsOf = (request: { readonly body: unknown } | undefined): string => JSON.stringify(request?.body);

test.skipIf(requireProgram("bwrap"))(
  "what is said while tools run reaches the model with their results, in its order, and stays in the transcript",
  async () => {
    using directory = agentDirectory();
    using server = anthropicServer(waiting("a"), textReply("Done."), textReply("Next."));
    const agent = await open(directory.path, server);
    const say = during(directory.path, async () => {
      expect(await agent.session().steer("rather two")).toBe(true);
      expect(await agent.session().steer("and three")).toBe(true);
    });
    const events = await work(agent.session().prompt("go"), say);
    expect(userTexts(events)).toStrictEqual(["go", "rather two", "and three"]);
    expect(await rolesOf(agent)).toBe("uatuua");
    expect(textsOf(server.requests[1])).toMatch(/ended a.*rather two.*and three/);
    await agent.close();
    const again = await open(directory.path, server);
    expect(await rolesOf(again)).toBe("uatuua");
    await work(again.session().prompt("next"));
    expect(server.requests.flatMap(({ refusal }) => refusal ?? [])).toStrictEqual([]);
    await again.close();
  },
);

test("what is said during the last answer is answered in one more turn", async () => {
  using directory = agentDirectory();
  using server = anthropicServer(textReply("First."), textReply("Second."));
  const agent = await open(directory.path, server);
  let isSaid = false;
  await work(agent.session().prompt("go"), async (event) => {
    if (event.type !== "message_update" || isSaid) return;
    isSaid = true;
    await agent.session().steer("one more thing");
  });
  expect(await rolesOf(agent)).toBe("uaua");
  expect(server.requests).toHaveLength(2);
  await agent.close();
});
