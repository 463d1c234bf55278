// Makes 25 sessions of one day in the agent directory of its argument, deletes each at once, and prints their ids.
import { deleteSession, newSession } from "@mdx-ai/sessions";

const agentDir = process.argv[2] ?? "";
for (let count = 0; count < 25; count++) {
  const id = newSession(agentDir, new Date(2026, 3, 28, 12).getTime());
  deleteSession(agentDir, id, 0);
  console.log(id);
}
