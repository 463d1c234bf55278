// The entry of a tool host process that Bun starts; an executable has a hidden command instead.
import { runToolHostProcess } from "./tool-host-process.ts";

await runToolHostProcess();
