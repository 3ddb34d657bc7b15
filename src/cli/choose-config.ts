import { existsSync } from "node:fs";
import { addressOf, isLoopback } from "../contract/address.ts";
import { PdctlError } from "../contract/errors.ts";
import { type LoadedConfig, loadConfig } from "./config-file.ts";

type Env = Readonly<Record<string, string | undefined>>;

/** What the command line says about the configuration. */
export type ConfigChoice = {
  readonly file: string | undefined;
  readonly fleet: string | undefined;
  readonly listen: string | undefined;
};

/** `isAsked`: the command line, or a file where it is run, says how the fleet is to be. */
export type ChosenConfig = LoadedConfig & { readonly from: string; readonly isAsked: boolean };

const usualFile = "pdctl.yaml";

/** The file named, else ./pdctl.yaml, else the defaults; with the flags laid over it. */
export function chooseConfig({ file, fleet, listen }: ConfigChoice, env: Env): ChosenConfig {
  const path = file ?? (existsSync(usualFile) ? usualFile : undefined);
  const { config, keys } = loadConfig(path, env);
  if (listen !== undefined) checkListen(listen, config.router["allow-open"]);
  return {
    config: {
      ...config,
      fleet: fleet ?? config.fleet,
      router: { ...config.router, listen: listen ?? config.router.listen },
    },
    keys,
    isAsked: path !== undefined || listen !== undefined,
    from: path ?? "the defaults: one prefill, one decode, on loopback",
  };
}

// The file is checked already; the flag comes after.
function checkListen(listen: string, allowOpen: boolean): void {
  const address = addressOf(listen);
  if (address === undefined) {
    throw new PdctlError("usage", `--listen ${listen} is not an address.`, "--listen 127.0.0.1:8000");
  }
  if (allowOpen || isLoopback(address.host)) return;
  throw new PdctlError(
    "usage",
    `--listen ${listen} would be reachable from other machines without keys.`,
    "--listen 127.0.0.1:8000, or set router: {allow-open: true} in the configuration",
  );
}
