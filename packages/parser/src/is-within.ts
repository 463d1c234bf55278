/** Whether `path` is `folder` or is inside it; both absolute, without `.` and `..`. */
export const isWithin = (folder: string, path: string): boolean =>
  path.startsWith(folder) && (path.length === folder.length || folder.endsWith("/") || path[folder.length] === "/");
