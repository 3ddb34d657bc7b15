// The C++ twin of .dependency-cruiser.mjs: which folder of native/ may include which, and which system
// headers are for a few folders only. An argument names another tree than the current folder.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const may = {
  core: [],
  kv: ["core"],
  model: ["core", "kv"],
  scheduler: ["core", "kv", "model"],
  prefill: ["core", "kv", "model"],
  decode: ["core", "kv", "model"],
  transfer: ["core", "kv"],
  engine: ["core", "kv", "model", "scheduler", "prefill", "decode", "transfer"],
  addon: ["core", "engine"],
  shim: [],
};

const threads = /^(thread|mutex|shared_mutex|condition_variable|future|semaphore|latch|barrier|stop_token|pthread\.h)$/;
const thirdParty = /^(ggml.*|gguf|llama)\.h$/;
const reserved = [
  { header: threads, to: ["engine", "transfer", "addon", "shim"], why: "everything else runs on the loop's thread" },
  {
    header: /^(chrono|ctime|time\.h|sys\/time\.h)$/,
    to: ["engine", "transfer", "addon", "shim"],
    why: "take the time as an argument",
  },
  {
    header: /^(sys\/socket|netinet\/.*|arpa\/inet|sys\/un|netdb|sys\/epoll)\.h$/,
    to: ["transfer"],
    why: "only the wire has sockets",
  },
  { header: /^poll\.h$/, to: ["transfer", "shim"], why: "only the wire and the shim wait for files" },
  {
    header: /^(csignal|(signal|spawn|sys\/(prctl|wait|signalfd|file))\.h)$/,
    to: ["shim"],
    why: "only the shim has processes",
  },
  { header: /^(napi|node_api)\.h$/, to: ["addon"], why: "only the door speaks Node" },
  { header: thirdParty, to: ["model"], why: "use model/runner.h and model/tokenizer.h" },
];

const root = join(process.argv[2] ?? ".", "native");
const errors = [];
for (const folder of readdirSync(root, { withFileTypes: true })) {
  if (!folder.isDirectory()) continue;
  if (!may[folder.name]) errors.push(`native/${folder.name}: a new folder needs a row in scripts/includes.mjs`);
  else for (const name of readdirSync(join(root, folder.name), { recursive: true })) check(folder.name, name);
}
for (const error of errors) console.error(error);
process.exitCode = errors.length === 0 ? 0 : 1;

function check(folder, name) {
  if (!/\.(h|cpp)$/.test(name)) return;
  const text = readFileSync(join(root, folder, name), "utf8");
  for (const [, quote, header] of text.matchAll(/^\s*#\s*include\s+(["<])([^">]+)[">]/gm)) {
    const words = quote === '"' && !thirdParty.test(header) ? own(folder, header) : foreign(folder, header);
    if (words) errors.push(`native/${folder}/${name}: ${words}`);
  }
}

function own(folder, header) {
  const to = header.split("/")[0];
  if (!may[to]) return `"${header}" is not a path from native/`;
  if (to === folder || may[folder].includes(to)) return undefined;
  return `"${header}": ${folder}/ may include only ${["itself", ...may[folder]].join(", ")}`;
}

function foreign(folder, header) {
  const rule = reserved.find((row) => row.header.test(header) && !row.to.includes(folder));
  return rule && `<${header}> is only for ${rule.to.join(", ")}: ${rule.why}`;
}
