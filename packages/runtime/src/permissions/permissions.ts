import { homedir } from "node:os";
import { isAbsolute } from "node:path";
import type { Environment } from "@mdx-ai/models";
import type { PermissionSettings } from "@mdx-ai/parser";
import { realPlace } from "../files/real-place.ts";
import type { AskApproval, UserPermissions } from "../types/permission.ts";
import { Approvals } from "./approvals.ts";
import type { CallPlaces } from "./default-ruling.ts";
import { layersOf, type RuleLayers, ruleLayers } from "./rule-layers.ts";
import { secretPlaces } from "./secret-places.ts";

/** What the directory of an agent says, and what is known of its files. */
export interface DirectoryPermissions {
  /** They count below what the user says. */
  readonly settings?: PermissionSettings | undefined;
  /** Files of the agent that trust covers, relative to its directory, separated by "/". */
  readonly definingFiles?: readonly string[] | undefined;
  /** Tells the code of a tool from any other, by the author's name; undefined for a builtin. */
  codeHashOf?(toolName: string): string | undefined;
  /** Whether a sandbox holds the shell; asked when a command needs it. Default: none does. */
  holdsShell?(): Promise<boolean>;
}

/** What decides over the calls of an agent. */
export interface PermissionsOptions extends DirectoryPermissions {
  /** Absolute. */
  readonly agentDir: string;
  /** Where the user stands. Absolute. */
  readonly cwd: string;
  /** The user's variables: they tell where home is, and where mdx-ai keeps what it knows. */
  readonly environment: Environment;
  readonly user?: UserPermissions | undefined;
  /** Without it, what would be asked is refused. */
  readonly onApproval?: AskApproval | undefined;
  /** Where approvals outlive the process. Absolute. Without it they last as long as this object. */
  readonly approvalsDirectory?: string | undefined;
  /** Milliseconds since 1970. */
  now(): number;
  /** Told, in a line, when approvals cannot be kept or believed. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** What the gates of an agent have in common: its rules, its approvals, and that one question is asked at a time. */
export class Permissions {
  readonly options: PermissionsOptions;
  readonly #common: Common;
  readonly #rules: RuleLayers;
  readonly #rulesOfTools = new Map<string, RuleLayers>();
  readonly #definingFiles: ReadonlySet<string>;

  /** Costs next to nothing: the disk is not looked at before the first call. Throws `MalformedPermissionError`. */
  constructor(options: PermissionsOptions, common: Common = new Common(options)) {
    this.options = options;
    this.#common = common;
    this.#rules = ruleLayers(options.settings ?? {}, options.user ?? {}, () => this.places());
    this.#definingFiles = new Set(options.definingFiles?.map((path) => path.toLowerCase()));
  }

  /** The same after a change of the directory; approvals are kept, and the question that is open. Throws as the constructor. */
  after(directory: DirectoryPermissions): Permissions {
    return new Permissions({ ...this.options, codeHashOf: () => undefined, ...directory }, this.#common);
  }

  get approvals(): Approvals {
    return this.#common.approvals();
  }

  rulesOf(toolName: string): RuleLayers {
    const known = this.#rulesOfTools.get(toolName);
    if (known) return known;
    const rules = layersOf(this.#rules, toolName);
    this.#rulesOfTools.set(toolName, rules);
    return rules;
  }

  /** What the paths of calls are held against. */
  places(): CallPlaces {
    return { ...this.#common.places(), definingFiles: this.#definingFiles };
  }

  /** Does one thing after the other, so that a user is asked one question at a time. Rejects as the thing does. */
  inTurn<Result>(thing: () => Promise<Result>): Promise<Result> {
    return this.#common.inTurn(thing);
  }
}

/** What stays when the directory changes. */
class Common {
  readonly #options: PermissionsOptions;
  #approvals: Approvals | undefined;
  #places: Omit<CallPlaces, "definingFiles"> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  approvals(): Approvals {
    const { approvalsDirectory: directory, onWarning = () => {} } = this.#options;
    this.#approvals ??= new Approvals({ agentDir: this.places().agentDir, directory, onWarning });
    return this.#approvals;
  }

  places(): Omit<CallPlaces, "definingFiles"> {
    const { agentDir, cwd, environment } = this.#options;
    this.#places ??= {
      agentDir: realPlace(agentDir),
      cwd: realPlace(cwd),
      home: homeOf(environment),
      secrets: secretPlaces(environment).map((place) => place.toLowerCase()),
    };
    return this.#places;
  }

  inTurn<Result>(thing: () => Promise<Result>): Promise<Result> {
    const done = this.#last.then(thing);
    this.#last = done.catch(() => {});
    return done;
  }
}

function homeOf(environment: Environment): string | undefined {
  const home = environment["HOME"] || environment["USERPROFILE"] || homedir();
  return isAbsolute(home) ? realPlace(home) : undefined;
}
