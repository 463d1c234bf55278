/** The part of the tests that runs; paths on the command line select others. */
export type Part = "short" | "long" | "all";

/** Takes long, or needs the executable: `npm test` leaves it to `npm run test:all`. */
const isLong = (file: string): boolean => file.endsWith(".long.test.ts");

/** Tests of a package's inside are beside its sources. */
const FOLDERS: readonly string[] = ["test", "packages/*/src"];

/** The test files of a part, relative to the repository. */
export function testFiles(repository: string, part: Part): readonly string[] {
  const files = FOLDERS.flatMap((folder) => [...new Bun.Glob(`${folder}/**/*.test.ts`).scanSync(repository)]).sort();
  return part === "all" ? files : files.filter((file) => isLong(file) === (part === "long"));
}
