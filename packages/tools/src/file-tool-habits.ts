/** The names of file tools, and of their parameters, in other programs. */
export const READ_ALIASES: readonly string[] = ["read", "view", "view_file", "open_file", "read_text_file", "cat"];
export const WRITE_ALIASES: readonly string[] = [
  "write",
  "create_file",
  "write_to_file",
  "save_file",
  "write_text_file",
];
export const LIST_ALIASES: readonly string[] = [
  "ls",
  "list",
  "list_dir",
  "list_directory",
  "list_folder",
  "view_directory",
];
export const PATH_ALIASES: readonly string[] = ["file_path", "file", "file_name", "absolute_path", "target_file"];
export const FOLDER_ALIASES: readonly string[] = [
  ...["dir", "dir_path", "directory", "directory_path", "folder", "folder_path", "target_directory", "root"],
];
export const TEXT_ALIASES: readonly string[] = ["contents", "text", "file_text", "file_content"];
