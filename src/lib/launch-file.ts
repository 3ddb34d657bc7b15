import { readFileSync } from "node:fs";
import { writeWhole } from "./private-files.ts";

/** What a shim holds, and how: `<run>/NAME.launch`. native/shim/launch_file.h is the other reader. */
export type LaunchFile = {
  readonly name: string;
  /** How often it was started; `relaunch` of the shim counts it up in the file. */
  readonly generation: number;
  readonly cwd: string;
  readonly log: string;
  /** The log is rotated before it would be larger; that many files are kept, the current one counted. */
  readonly logBytes: number;
  readonly logFiles: number;
  /** Where the shim writes the RunRecord. */
  readonly record: string;
  /** How long descendants may take to end by SIGTERM once the program has ended. */
  readonly graceMs: number;
  /** The program and its arguments; the program's own PATH is searched. */
  readonly args: readonly string[];
  /** All of it: nothing is inherited. */
  readonly env: Readonly<Record<string, string>>;
};

const mark = "pdctl-launch 1";

/** Writes the file whole, for its owner only: the environment may hold keys. */
export function writeLaunchFile(path: string, file: LaunchFile): void {
  const fields = [
    ...scalars(file).map(([key, value]) => `${key}=${value}`),
    ...file.args.map((arg) => `arg=${arg}`),
    ...Object.entries(file.env).map(([name, value]) => `env=${name}=${value}`),
  ];
  const broken = fields.find((field) => field.includes("\0"));
  if (broken !== undefined) throw new Error(`a zero byte in ${JSON.stringify(broken)}: no program takes it`);
  writeWhole(path, [mark, ...fields].map((field) => `${field}\0`).join(""));
}

/** Undefined where there is none. Throws where it is not one. */
export function readLaunchFile(path: string): LaunchFile | undefined {
  const text = textOf(path);
  if (text === undefined) return undefined;
  const [first, ...fields] = text.split("\0").slice(0, -1);
  if (first !== mark || !text.endsWith("\0")) throw new Error(`${path} does not begin with '${mark}', or is cut`);
  const values = (wanted: string): string[] =>
    fields.flatMap((field) => {
      const [key, value] = halves(field);
      return key === wanted ? [value] : [];
    });
  const one = (key: string): string => {
    const [value] = values(key);
    if (value === undefined) throw new Error(`${path} has no ${key}`);
    return value;
  };
  return {
    name: one("name"),
    generation: Number(one("generation")),
    cwd: one("cwd"),
    log: one("log"),
    logBytes: Number(one("log-bytes")),
    logFiles: Number(one("log-files")),
    record: one("record"),
    graceMs: Number(one("grace-ms")),
    args: values("arg"),
    env: Object.fromEntries(values("env").map(halves)),
  };
}

function scalars(file: LaunchFile): (readonly [string, string | number])[] {
  return [
    ["name", file.name],
    ["generation", file.generation],
    ["cwd", file.cwd],
    ["log", file.log],
    ["log-bytes", file.logBytes],
    ["log-files", file.logFiles],
    ["record", file.record],
    ["grace-ms", Math.round(file.graceMs)],
  ];
}

function halves(field: string): [string, string] {
  const middle = field.indexOf("=");
  return [field.slice(0, middle), field.slice(middle + 1)];
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
