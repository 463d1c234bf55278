// The entry of the worker that parses large files, so that the thread that answers signals and users never waits.
import { parentPort, workerData } from "node:worker_threads";
import { defineAgent } from "../define-agent.ts";
import type { WorkerMessage } from "./define-in-worker.ts";
import { currentThread } from "./thread-time.ts";

const send = (message: WorkerMessage): void => parentPort?.postMessage(message);

const thread = currentThread();
const entry = await defineAgent(workerData, (file) =>
  send({ type: "started", file, ...(thread === undefined ? {} : { thread }) }),
);
send({ type: "defined", entry });
