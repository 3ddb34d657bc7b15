import type { DaemonClient } from "../client/daemon-client.ts";
import type { RequestDetail } from "../contract/request-view.ts";
import { asked } from "../lib/asked.ts";
import { pause } from "../lib/wait.ts";

export type Waiting = {
  readonly client: DaemonClient;
  readonly requestId: string;
  /** How long nothing is said, and how often then. */
  readonly everyMs: number;
  /** Aborts at the first token. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
};

/** Says now and then where a request stands, until the signal aborts. */
export async function tellWhere({ client, requestId, everyMs, signal, say }: Waiting): Promise<void> {
  let last = "";
  while (await passed(everyMs, signal)) {
    const words = await wordsNow(client, requestId, signal);
    if (words !== undefined && words !== last) say(words);
    last = words ?? last;
  }
}

/** "waiting: prefill, 512 of 4,896 tokens". */
export function waitingWords({ request, legs }: Pick<RequestDetail, "request" | "legs">): string {
  const { stage, promptTokens } = request;
  const computed = Math.max(0, ...legs.map(({ record }) => record.rowsComputed));
  const far = stage === "prefill" && promptTokens !== undefined;
  return far ? `waiting: prefill, ${grouped(computed)} of ${grouped(promptTokens)} tokens` : `waiting: ${stage}`;
}

// The answer itself tells what goes wrong; here nobody may disturb it.
async function wordsNow(client: DaemonClient, requestId: string, signal: AbortSignal): Promise<string | undefined> {
  const answer = await asked(async () => waitingWords(await client.request(requestId, signal)));
  return answer.kind === "answered" ? answer.value : undefined;
}

async function passed(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, signal);
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

function grouped(count: number): string {
  return new Intl.NumberFormat("en-US").format(count);
}
