import type { Ask } from "./completions.ts";

export type Streamed = {
  readonly status: number;
  readonly text: string;
  readonly events: number;
  readonly done: boolean;
  readonly error: string | undefined;
};

type Chunk = {
  readonly choices?: readonly { readonly text?: string }[];
  readonly error?: { readonly message?: string };
};

/** A streaming completion, read to its end, or until `signal` makes the client leave. */
export async function stream(url: string, ask: Ask, signal: AbortSignal): Promise<Streamed> {
  let [status, text, events, done] = [0, "", 0, false];
  let error: string | undefined;
  try {
    const body = JSON.stringify({ model: "any", temperature: 0, stream: true, ...ask });
    const response = await fetch(`${url}/v1/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
      signal,
    });
    status = response.status;
    if (status !== 200) return { status, text, events, done, error: await response.text() };
    for await (const data of eventsOf(response)) {
      if (data === "[DONE]") done = true;
      else {
        const chunk = JSON.parse(data) as Chunk;
        text += chunk.choices?.[0]?.text ?? "";
        error ??= chunk.error?.message;
        events += 1;
      }
    }
  } catch (failure) {
    error = failure instanceof Error ? `${failure.name}: ${failure.message}` : String(failure);
  }
  return { status, text, events, done, error };
}

async function* eventsOf(response: Response): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body ?? []) {
    const lines = (rest + decoder.decode(bytes as Uint8Array, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) yield line.slice(6);
  }
}
