import { Flags, type Interfaces } from "@oclif/core";
import { addressOf } from "../contract/address.ts";
import { isName } from "../contract/name.ts";
import type { EngineTarget, PrefillTarget, RouterOptions } from "../contract/process-options.ts";
import { durationFlag, processFlags, refuse } from "./process-flags.ts";

const prefillFlag = Flags.custom<PrefillTarget>({
  helpValue: "NAME=URL,HOST:PORT",
  parse: async (text) =>
    prefillOf(text) ?? refuse(text, 'a prefill engine such as "p0=http://127.0.0.1:8001,127.0.0.1:8998"'),
});

const engineFlag = Flags.custom<EngineTarget>({
  helpValue: "NAME=URL",
  parse: async (text) => engineOf(text) ?? refuse(text, 'an engine such as "d0=http://127.0.0.1:8002"'),
});

/** The flags of `pdctl router`: the keys of contract/launch.ts, and what only people use. */
export const routerFlags = {
  ...processFlags,
  name: Flags.string({ summary: "Name of the router, in logs and answers.", default: "router" }),
  prefill: prefillFlag({
    summary: "Prefill engine and its bootstrap address, repeatable.",
    multiple: true,
  }),
  decode: engineFlag({ summary: "Decode engine, repeatable.", multiple: true }),
  both: engineFlag({ summary: "Engine that prefills and decodes by itself, repeatable.", multiple: true }),
  replay: Flags.option({ options: ["unsent", "never"] as const })({
    summary: "Whether a request that has sent no byte is sent again when its engine is restarted.",
    default: "unsent",
  }),
  "deadline-connect": durationFlag({ summary: "For a connection to an engine.", default: 5_000 }),
  "deadline-first-token": durationFlag({ summary: "For the first token of an answer.", default: 900_000 }),
  "deadline-token-gap": durationFlag({ summary: "Between two tokens of an answer.", default: 120_000 }),
};

export type RouterFlagValues = Interfaces.InferredFlags<typeof routerFlags>;

export function routerOptions(flags: RouterFlagValues): RouterOptions {
  const { name, listen, prefill = [], decode = [], both = [] } = flags;
  const half = prefill.length > 0 !== decode.length > 0;
  if (half || (prefill.length > 0 && both.length > 0)) {
    refuse(
      `${prefill.length} × --prefill, ${decode.length} × --decode, ${both.length} × --both`,
      "at least one --prefill with at least one --decode, or at least one --both, or none and a daemon that sends them",
    );
  }
  return {
    ...{ name, listen, prefill, decode, both, replay: flags.replay },
    allowOpen: flags["allow-open"],
    secretFile: flags["secret-file"],
    readyFile: flags["ready-file"],
    connectMs: flags["deadline-connect"],
    firstTokenMs: flags["deadline-first-token"],
    tokenGapMs: flags["deadline-token-gap"],
    stopLimitMs: flags["stop-limit"],
  };
}

function engineOf(text: string): EngineTarget | undefined {
  const [, name, url] = /^([^=]*)=(http:\/\/[^\s,]+)$/.exec(text) ?? [];
  return name === undefined || !isName(name) || url === undefined || !URL.canParse(url)
    ? undefined
    : { name, url: new URL(url).origin };
}

function prefillOf(text: string): PrefillTarget | undefined {
  const comma = text.lastIndexOf(",");
  const engine = engineOf(text.slice(0, comma));
  const bootstrap = addressOf(text.slice(comma + 1));
  return comma < 0 || engine === undefined || bootstrap === undefined ? undefined : { ...engine, bootstrap };
}
