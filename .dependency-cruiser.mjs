// Who may import whom: one row a folder of src/, besides itself. Anything not listed is an error.
const may = {
  lib: [],
  contract: [],
  client: ["contract", "lib"],
  cli: ["contract", "client", "lib"],
  tui: ["contract", "client", "lib"],
  commands: ["contract", "client", "cli", "tui", "lib"],
  drivers: ["contract", "lib"],
  "daemon/poller": ["contract", "lib", "drivers"],
  "daemon/detector": ["contract", "lib"],
  "daemon/recording": ["contract", "lib", "daemon/detector"],
  "daemon/healer": ["contract", "lib"],
  "daemon/supervisor": ["contract", "lib", "drivers"],
  "daemon/journal": ["contract", "lib"],
  "daemon/exporter": ["contract", "lib"],
  "daemon/api": ["contract", "lib"],
  watchdog: ["contract", "lib"],
  engine: ["contract", "lib"],
  router: ["contract", "lib"],
};

// The composition roots, which `commands` opens by `await import()`: nobody pays for what a command does not use.
const doors = "^src/((daemon|watchdog|engine|router)/main|daemon/replay|tui/main)\\.tsx?$";

const rows = Object.entries(may).map(([from, to]) => ({
  name: `may-import-${from}`,
  comment: `src/${from} may import only: ${["itself", ...to].join(", ")}`,
  severity: "error",
  from: { path: `^src/${from}/` },
  to: {
    path: "^src/",
    pathNot: [from, ...to].map((folder) => `^src/${folder}/`).concat(from === "commands" ? doors : []),
  },
}));

export default {
  forbidden: [
    ...rows,
    {
      name: "every-folder-has-a-row",
      comment: "a new folder of src/ needs a row in .dependency-cruiser.mjs",
      severity: "error",
      from: { path: "^src/.+/", pathNot: [...Object.keys(may), "daemon"].map((folder) => `^src/${folder}/`) },
      to: { path: "^src/" },
    },
    {
      name: "may-import-daemon",
      comment: "the parts of the daemon meet in daemon/*.ts, which may use all of daemon, contract, lib, drivers",
      severity: "error",
      from: { path: "^src/daemon/[^/]+\\.ts$" },
      to: { path: "^src/", pathNot: ["daemon", "contract", "lib", "drivers"].map((folder) => `^src/${folder}/`) },
    },
    {
      name: "may-import-main",
      comment: "src/main.ts only starts the command line",
      severity: "error",
      from: { path: "^src/main\\.ts$" },
      to: { path: "^src/", pathNot: "^src/cli/" },
    },
    {
      name: "doors-open-late",
      comment: "commands open the doors (daemon/main, tui/main and the like) by `await import()` only",
      severity: "error",
      from: { path: "^src/commands/" },
      to: { path: doors, dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "contract-touches-nothing",
      comment: "the promise between processes is data: no I/O, no Node",
      severity: "error",
      from: { path: "^src/contract/" },
      to: { dependencyTypes: ["core"] },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "no-orphans",
      severity: "error",
      from: { orphan: true, path: "^src/", pathNot: "^src/commands/" },
      to: {},
    },
    {
      name: "no-tools-at-run-time",
      comment: "src/ may use only what package.json lists under dependencies",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-dev", "npm-no-pkg", "unknown"], dependencyTypesNot: ["type-only"] },
    },
    { name: "no-tests-in-src", severity: "error", from: { path: "^src/" }, to: { path: "^(test|bench)/" } },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "node", "default"] },
  },
};
