import type { FrontEnd } from "../front-end.ts";

export interface PackageOptions {
  readonly frontEnd: FrontEnd;
  readonly signal: AbortSignal;
  readonly locked: readonly string[] | undefined;
}

/** Installs the packages that an agent imports. */
export async function installPackages(
  _folder: string,
  _options: PackageOptions,
): Promise<readonly string[] | undefined> {
  return undefined;
}
