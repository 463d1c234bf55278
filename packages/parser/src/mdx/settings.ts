import type { Root } from "mdast";
import type { Transformer } from "unified";
import type { Report } from "../report.ts";
import { type ReadSettings, readSettings } from "../settings/read-settings.ts";
import { reportTo } from "./messages.ts";
import { misplacedFrontmatter } from "./misplaced-frontmatter.ts";
import { endOf, startOf } from "./syntax-tree.ts";

declare module "vfile" {
  interface DataMap {
    settings: ReadSettings;
  }
}

/** A plugin that reads the settings of the frontmatter. */
export const settings = (): Transformer<Root> => (tree, file) => {
  file.data.settings = settingsIn(tree, String(file), reportTo(file));
};

const NONE: ReadSettings = {
  settings: {},
  permittedTools: [],
  namedTools: [],
  hasServers: false,
  sandboxPaths: [],
  models: [],
};

function settingsIn(tree: Root, text: string, report: Report): ReadSettings {
  const yaml = tree.children.find((child) => child.type === "yaml");
  if (yaml === undefined) {
    const misplaced = misplacedFrontmatter(text);
    if (misplaced !== undefined) report(misplaced);
    return NONE;
  }
  const content = text.slice(startOf(yaml), endOf(yaml));
  const lineEnd = content.search(/[\r\n]/);
  const base = startOf(yaml) + lineEnd + (content.startsWith("\r\n", lineEnd) ? 2 : 1);
  return readSettings(yaml.value, { base, report });
}
