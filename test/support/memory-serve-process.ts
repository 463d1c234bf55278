// Serves the embedded store in a file over standard streams: `memory-serve-process.ts FILE`.
import { openEmbeddedStore } from "@mdx-ai/memory";
import { serveOverStdio } from "@mdx-ai/memory/server";

const store = await openEmbeddedStore(process.argv[2] ?? "");
await serveOverStdio(store, { name: "memory", version: "1.0.0" }, new AbortController().signal);
await store.close();
