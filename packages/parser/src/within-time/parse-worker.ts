// The entry of the worker that parses large files, so that the thread that answers signals and users never waits.
import { parentPort, workerData } from "node:worker_threads";
import { defined } from "@mdx-ai/base";
import type { AgentFiles } from "../agent-files.ts";
import { defineAgent } from "../define-agent.ts";
import type { WorkerMessage } from "./define-in-worker.ts";
import { currentThread } from "./define-in-worker.ts";

const send = (message: WorkerMessage): void => parentPort?.postMessage(message);

const thread = currentThread();
const files: AgentFiles = workerData;
const entry = await defineAgent(files, {
  onFile: (file) => send({ type: "started", file, ...defined({ thread }) }),
});
send({ type: "defined", entry });
