import { type EntrypointMistake, type EntrypointScheme, mistake } from "./entrypoint-scheme.ts";

/** The target of a `container:` entrypoint. */
export interface ContainerTarget {
  readonly kind: "image";
  readonly image: string;
}

/** The name of an image, with a registry, a tag and a digest if it has them. None begins as an option does. */
const IMAGE =
  /^[a-z0-9][a-z0-9._-]*(?::\d+)?(?:\/[a-z0-9][a-z0-9._-]*)*(?::\w[\w.-]{0,127})?(?:@sha256:[0-9a-f]{64})?$/i;

/** Reads the name of an image. Never throws. */
export function containerTarget(target: string): ContainerTarget | EntrypointMistake {
  if (IMAGE.test(target)) return { kind: "image", image: target };
  return mistake(
    `unexpected image ${JSON.stringify(target)}, expected a name`,
    "write the name of an image, such as `container:my-tool:1.0`",
  );
}

export const containerScheme: EntrypointScheme = { read: ({ target }) => containerTarget(target) };
