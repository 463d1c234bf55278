import { visibleText } from "@mdx-ai/base";
import { type Manifest, type ManifestTool, shownRules } from "../manifest/manifest.ts";
import { serverText } from "../manifest/manifest-server.ts";

/** One kind of content that trust covers. */
interface DirectoryContent {
  /** Such as "tools". */
  readonly kind: string;
  /** In the order of the directory, as `visibleText` shows them. */
  readonly names: readonly string[];
}

/** The parts of a directory that would run, and the permissions it asks for. */
function directoryContents(manifest: Manifest): readonly DirectoryContent[] {
  const { tools, files, packages, skills, heartbeat, program, servers, settings, skillTools } = manifest;
  const pathsOf = (accepts: (file: Manifest["files"][number]) => boolean): readonly string[] =>
    files.filter(accepts).map(({ path }) => path);
  const contents = [
    { kind: "tools", names: tools.map(({ name }) => name) },
    { kind: "modules", names: pathsOf(({ kind, path }) => kind === "module" && /^modules\/[^/]+\.ts$/.test(path)) },
    { kind: "imported files", names: pathsOf(({ kind, path }) => kind === "import" && !path.startsWith("../")) },
    {
      kind: "imported files outside the directory",
      names: pathsOf(({ kind, path }) => kind !== "skill" && path.startsWith("../")),
    },
    { kind: "packages", names: packages.map(({ name }) => name) },
    { kind: "skills", names: skills.map(({ name }) => name) },
    { kind: "tools of skills", names: skillTools.map(({ name, entrypoint }) => `${name} (${entrypoint})`) },
    { kind: "folders of skills", names: settings.skills?.paths ?? [] },
    { kind: "skills of other folders", names: pathsOf(({ kind }) => kind === "skill") },
    { kind: "scripts of skills", names: pathsOf(({ kind }) => kind === "script") },
    { kind: "heartbeat", names: heartbeat === undefined ? [] : [heartbeat] },
    { kind: "code in its prose", names: program === undefined ? [] : ["agent.mdx"] },
    { kind: "environment variables for tools", names: [...new Set(tools.flatMap((tool) => tool.environment))] },
    { kind: "permissions it asks for", names: permissionTexts(settings.permissions) },
    { kind: "mode", names: settings.mode === undefined ? [] : [settings.mode] },
    { kind: "workspace", names: settings.workspace === undefined ? [] : ["the folder where you start it"] },
    { kind: "sandbox", names: settings.sandbox === undefined ? [] : [valueText(settings.sandbox)] },
    { kind: "MCP servers", names: servers.map(({ name }) => name) },
  ];
  return contents
    .filter(({ names }) => names.length > 0)
    .map(({ kind, names }) => ({ kind, names: names.map(visibleText) }));
}

/** The contents as lines for a question, with what each tool may do. */
export function contentsLines(manifest: Manifest): readonly string[] {
  const detailsOf: Readonly<Record<string, readonly string[]>> = {
    tools: manifest.tools.map(toolPowers),
    "MCP servers": manifest.servers.map((server) => visibleText(serverText(server))),
  };
  return directoryContents(manifest).flatMap(({ kind, names }) => {
    const details = detailsOf[kind]?.map((power, index) => [names[index], power] as const) ?? [];
    const shown = details.filter(([, power]) => power !== "").map(([name, power]) => `  ${name}: ${power}`);
    return [`${kind}: ${SHORTENED.includes(kind) ? firstOf(names) : names.join(", ")}`, ...shown];
  });
}

/** The contents on one line, as counts. */
export function contentsLine(manifest: Manifest): string {
  const counts = directoryContents(manifest).map(({ kind, names }) =>
    UNCOUNTED.includes(kind) ? kind : `${kind}: ${names.length}`,
  );
  return counts.length === 0 ? "the shell for its model" : counts.join(", ");
}

const UNCOUNTED: readonly string[] = ["heartbeat", "code in its prose", "mode", "workspace", "sandbox"];

/** Lists that are shortened; what grants power is always shown in full. */
const SHORTENED: readonly string[] = [
  ...["imported files", "packages", "skills", "skills of other folders", "scripts of skills"],
];

const LONGEST_LIST = 40;

const firstOf = (names: readonly string[]): string => {
  const more = names.length - LONGEST_LIST;
  return names.slice(0, LONGEST_LIST).join(", ") + (more > 0 ? ` and ${more} more` : "");
};

function toolPowers({ environment, network, files, permission, source }: ManifestTool): string {
  const parts = [
    ...(source === undefined ? [] : [`runs ${source}`]),
    ...(environment.length === 0 ? [] : [`sees ${environment.join(", ")}`]),
    ...(network === undefined ? [] : [network.length === 0 ? "no network" : `reaches ${network.join(", ")}`]),
    ...(files === undefined ? [] : fileTexts(files)),
    ...(permission === undefined ? [] : [`asks for the permission: ${permission}`]),
  ];
  return visibleText(parts.join("; "));
}

function fileTexts({ read, write }: NonNullable<ManifestTool["files"]>): readonly string[] {
  const texts = [
    ...(read.length === 0 ? [] : [`reads ${read.join(", ")}`]),
    ...(write.length === 0 ? [] : [`writes ${write.join(", ")}`]),
  ];
  return texts.length === 0 ? ["no files"] : texts;
}

const permissionTexts = (permissions: Manifest["settings"]["permissions"]): readonly string[] =>
  shownRules(permissions ?? {}).map(({ pattern, action }) => `${action} ${pattern}`);

const valueText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));
