// A memory service over standard streams: `memory-service-process.ts BUILD`.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { memoryService, newServiceData } from "./memory-service.ts";

const build = process.argv[2] === "second" ? "second" : "first";
const data = newServiceData();
serveStdio(() => memoryService(build, data));
