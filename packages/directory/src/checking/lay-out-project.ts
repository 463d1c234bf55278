import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join, parse, relative } from "node:path";
import { AUTHOR_TYPES } from "./author-types.ts";
import type { TypeScript } from "./compiler.ts";

/** A file that is checked as if it were in the agent directory. */
export interface ProjectFile {
  /** Relative to the agent directory. */
  readonly path: string;
  readonly text: string;
}

export interface ProjectPlan {
  /** An empty folder for the project. An absolute real path. */
  readonly folder: string;
  /** Absolute. */
  readonly agentDir: string;
  readonly files: readonly ProjectFile[];
  /** Files of the agent directory that are checked in place, relative to it. */
  readonly present: readonly string[];
  readonly typescript: TypeScript;
}

/**
 * Writes a project for the compiler and returns its folder, which represents the agent directory. The full path of the
 * directory is repeated below the project's folder, so that through `rootDirs` the relative imports of a file there find the
 * neighbours of the original file; packages are found through links to the folders where they are installed.
 */
export function layOutProject(plan: ProjectPlan): string {
  const { folder, agentDir, files } = plan;
  const project = mirrored(folder, agentDir);
  for (const { path, text } of files) write(join(project, path), text);
  write(join(folder, "mdx-ai.d.ts"), AUTHOR_TYPES);
  write(join(folder, "globals.d.ts"), GLOBAL_TYPES);
  write(join(folder, "files.d.ts"), FILE_TYPES);
  write(join(folder, "jsx-runtime.d.ts"), ELEMENT_TYPES);
  write(join(project, "tsconfig.json"), JSON.stringify(settings(plan, project), undefined, 2));
  // Last, so that no file is written through a link.
  linkPackages({ folder, project, directory: agentDir });
  return project;
}

/** The path below `folder` that represents an absolute path. */
const mirrored = (folder: string, path: string): string => join(folder, relative(parse(path).root, path));

interface PackageLinks {
  readonly folder: string;
  readonly project: string;
  /** Absolute. */
  readonly directory: string;
}

/** Links the packages that are installed in the directory or above it. */
function linkPackages({ folder, project, directory }: PackageLinks): void {
  const packages = join(directory, "node_modules");
  if (existsSync(packages)) link(packages, mirrored(folder, packages), project);
  if (dirname(directory) !== directory) linkPackages({ folder, project, directory: dirname(directory) });
}

/** Links a folder of packages; if the project itself lies in it, links its other members one by one. */
function link(source: string, target: string, project: string): void {
  const present = lstatSync(target, { throwIfNoEntry: false });
  if (present === undefined) {
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(source, target);
  } else if (present.isDirectory() && target !== project) {
    for (const name of readdirSync(source)) link(join(source, name), join(target, name), project);
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/**
 * Strict, except that parameters and caught errors without a type are `any`, for small scripts. The directory's
 * tsconfig.json is ignored, as it is when the code runs.
 */
function settings({ folder, agentDir, files, present, typescript }: ProjectPlan, project: string): object {
  const compilerOptions = {
    target: "esnext",
    module: "preserve",
    moduleResolution: "bundler",
    moduleDetection: "force",
    lib: ["esnext"],
    types: ["bun"],
    typeRoots: [typescript.typesFolder],
    rootDirs: [parse(agentDir).root, folder],
    paths: {
      "mdx-ai": [join(folder, "mdx-ai.d.ts")],
      "mdx-ai/jsx-runtime": [join(folder, "jsx-runtime.d.ts")],
    },
    strict: true,
    noImplicitAny: false,
    useUnknownInCatchVariables: false,
    allowJs: true,
    checkJs: false,
    jsx: "preserve",
    resolveJsonModule: true,
    isolatedModules: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    noEmit: true,
    noErrorTruncation: true,
    listFiles: true,
  };
  const paths = [...files.map(({ path }) => join(project, path)), ...present.map((path) => join(agentDir, path))];
  return { compilerOptions, files: [join(folder, "globals.d.ts"), join(folder, "files.d.ts"), ...paths] };
}

/** The types that the code of a tool, a gate or a check may use without an import, as in the specification. */
const GLOBAL_TYPES = `import type * as authored from "mdx-ai";

declare global {
  type ToolContext = authored.ToolContext;
  type ToolResult = authored.ToolResult;
  interface GateContext extends authored.ToolContext {
    readonly state: any;
    readonly task: string;
    readonly due: string;
  }
  interface DoneContext extends GateContext {
    readonly text: string;
  }
}
`;

/** Files that Bun imports as text, such as through `with { type: "text" }`, and that its types do not declare. */
const FILE_TYPES: string = ["csv", "graphql", "md", "mdx", "prompt", "sql", "tsv"]
  .map((ending) => `declare module "*.${ending}" {\n  const text: string;\n  export default text;\n}\n`)
  .join("\n");

/** The JSX types for compiled prose: the tool host's renderer accepts only these values. */
const ELEMENT_TYPES = `type Text = string | number | bigint | boolean | null | undefined | void;
interface Element {
  readonly type: unknown;
  readonly props: unknown;
}
export type Child = Text | Element | readonly Child[] | Iterable<Child> | PromiseLike<Child>;
export type Component = string | Nameless | ((props: any) => unknown);
interface Shown {
  readonly children?: Child;
  readonly [name: string]: unknown;
}
interface Nameless {
  readonly isFragment: true;
}
export declare const Fragment: Nameless;
export declare function jsx<T extends Component>(
  type: T,
  props: T extends string | Nameless ? Shown : any,
): Element;
export declare const jsxs: typeof jsx;
`;
