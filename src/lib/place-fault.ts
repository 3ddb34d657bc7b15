// Why a file system refuses a path, by the code of the error.
const reasons: Readonly<Record<string, string>> = {
  EACCES: "this user has no right to it",
  EPERM: "this user may not change it",
  EROFS: "its file system is read-only",
  ENOTDIR: "a part of the path is a file, not a folder",
  ENOENT: "it is not there, and nothing can be made there",
  ENAMETOOLONG: "the path is too long",
  ELOOP: "its links go in a circle",
  EISDIR: "a folder stands where a file is wanted",
  ENOSPC: "the disk is full",
  EDQUOT: "this user's share of the disk is used up",
};

/** Which path cannot be used and why; undefined for an error that is not the file system's word about a path. */
export function placeFault(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && "path" in error)) return undefined;
  const reason = reasons[String(error.code)];
  return reason === undefined ? undefined : `${String(error.path)} cannot be used: ${reason}`;
}

/** The same error with the path that it is about and its words: the system names none where a write fails. */
export function namedAfter(path: string, error: unknown): unknown {
  if (!(error instanceof Error && "code" in error)) return error;
  const named = Object.assign(error, { path });
  named.message = placeFault(named) ?? named.message;
  return named;
}

/** Why a file cannot be read, in words. */
export function readFault(error: unknown): string {
  if (error instanceof Error && "code" in error && error.code === "ENOENT" && "path" in error) {
    return `${String(error.path)} is not there`;
  }
  return placeFault(error) ?? (error instanceof Error ? error.message : String(error));
}
