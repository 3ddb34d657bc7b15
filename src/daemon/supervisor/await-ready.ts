import { PdctlError } from "../../contract/errors.ts";
import type { Ready } from "../../contract/launch.ts";
import { isHealthy } from "../../drivers/native/probe.ts";
import type { ProcessSpec } from "../../drivers/process-spec.ts";
import { readyOf } from "../../drivers/ready-file.ts";
import { asked } from "../../lib/asked.ts";
import { limited, until } from "../../lib/wait.ts";
import type { Child } from "./child.ts";
import { launchFailure } from "./launch-failure.ts";

const lookEveryMs = 20;
const probeLimitMs = 2_000;

/** Waits until the process has written its ready file and answers /health; throws when it ends or is late. */
export async function awaitReady(
  child: Child,
  { spec, logFile, signal }: { spec: ProcessSpec; logFile: string; signal: AbortSignal },
): Promise<Ready> {
  const ready = await until(
    async () => {
      if (child.exit !== undefined) throw launchFailure(spec.name, child.exit, logFile);
      const found = readyOf(spec.readyFile);
      return found !== undefined && (await answers(found, signal)) ? found : undefined;
    },
    { everyMs: lookEveryMs, limitMs: spec.startMs, signal },
  );
  if (ready !== undefined) return ready;
  throw new PdctlError(
    "engine-start-timeout",
    `${spec.name} was not ready within ${Math.round(spec.startMs / 1_000)} s.`,
    `read ${logFile}, or give it more time with deadlines.start`,
  );
}

async function answers({ url }: Ready, signal: AbortSignal): Promise<boolean> {
  const health = await asked(async () => await isHealthy(url, limited(probeLimitMs, signal)));
  return health.kind === "answered" && health.value;
}
