import { join } from "node:path";
import { openEmbeddedStore } from "@mdx-ai/memory";
import { temporaryDirectory } from "../support/temporary-directory.ts";
import { storeSuite } from "./store-suite.ts";

storeSuite("embedded store", async () => {
  const folder = temporaryDirectory();
  const store = await openEmbeddedStore(join(folder.path, "memory.db"));
  return {
    store,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      folder[Symbol.dispose]();
    },
  };
});
