import { runToolHostProcess } from "../../packages/runtime/src/tool-host/tool-host-process.ts";

await runToolHostProcess();
