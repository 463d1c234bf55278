// Opens a stubborn server in a folder, says so, and waits to be killed.
import { openMcpConnection } from "@mdx-ai/mcp";
import { hostileServer } from "./mcp-bench.ts";

const [folder = "/"] = process.argv.slice(2);
const environment = { PATH: process.env["PATH"], FOLDER: folder };
const server = hostileServer("stubborn", "parent");
const connection = openMcpConnection({ name: "killed", server, baseDir: folder, environment });
await connection.connect();
console.log(connection.state.type);
setInterval(() => {}, 1_000);
