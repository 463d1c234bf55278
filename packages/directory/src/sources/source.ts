import { DirectoryError } from "../directory-error.ts";

/** A place from which an agent is fetched, as its user wrote it. */
export type Source =
  | {
      readonly type: "git";
      /** An address or an absolute path that git understands. */
      readonly url: string;
      /** A branch, a tag or a full commit. Default: the repository's default branch. */
      readonly ref?: string;
      /** The agent's folder in the repository, separated by "/". */
      readonly path?: string;
    }
  | {
      readonly type: "npm";
      /** With its scope. */
      readonly name: string;
      /** A version, a range or a tag. Default: "latest". */
      readonly range?: string;
    }
  | {
      readonly type: "oci";
      /** With its port, if any. */
      readonly host: string;
      readonly repository: string;
      /** Default: "latest", unless there is a digest. */
      readonly tag?: string;
      /** `sha256:…` of the manifest. */
      readonly digest?: string;
    }
  | {
      readonly type: "archive";
      /** An address or an absolute path of a `.tgz`, `.tar.gz` or `.tar`. */
      readonly location: string;
      /** The agent's folder in the archive, separated by "/". */
      readonly path?: string;
    }
  | {
      readonly type: "folder";
      /** Absolute. */
      readonly path: string;
    };

/**
 * What a source was at the moment of the fetch. Plain JSON, for a lock file: a fetch with the same origin as `pinned` gives the same
 * files or fails.
 */
export type Origin =
  | {
      readonly type: "git";
      /** In hexadecimal digits. */
      readonly commit: string;
    }
  | {
      readonly type: "npm";
      readonly version: string;
      /** `sha512-…` of the package, in base64. */
      readonly integrity: string;
    }
  | {
      readonly type: "oci";
      /** `sha256:…` of the manifest. */
      readonly digest: string;
    }
  | {
      readonly type: "archive";
      /** `sha512-…` of the archive, in base64. */
      readonly integrity: string;
    }
  /** A folder has no versions; the hash of its files identifies it. */
  | { readonly type: "folder" };

/** A failure to read or fetch a source. The message is for users. */
export const sourceError = (message: string, cause?: unknown): DirectoryError =>
  new DirectoryError("source", message, { cause });
