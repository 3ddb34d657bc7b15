import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Every C++ file of these folders whose name ends so. */
export function cppFiles(folders, ends = /\.(h|cpp)$/) {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter((name) => ends.test(name))
      .map((name) => join(folder, name))
      .sort(),
  );
}
