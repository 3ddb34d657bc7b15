import { expect, vi } from "vitest";

export type ErrorBody = {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly code: string;
    readonly param: string | null;
  };
};

export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return fetch(url, {
    method: "POST",
    body: text,
    headers: { "content-type": "application/json", ...headers },
    signal: signal ?? null,
  });
}

/** The data of the events of a stream that has ended. */
export function eventsOf(text: string): readonly string[] {
  return text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => event.replace(/^data: /, ""));
}

type Chunk = {
  readonly choices: readonly {
    readonly delta?: { readonly content?: string };
    readonly text?: string;
    readonly finish_reason: string | null;
  }[];
};

/** What a stream said, put together. */
export function toldBy(text: string): {
  readonly text: string;
  readonly reason: string | undefined;
  readonly done: boolean;
} {
  const events = eventsOf(text);
  const chunks = events.filter((event) => event !== "[DONE]").map((event) => JSON.parse(event) as Chunk);
  const choices = chunks.flatMap((chunk) => chunk.choices);
  return {
    text: choices.map((choice) => choice.delta?.content ?? choice.text ?? "").join(""),
    reason: choices.map((choice) => choice.finish_reason).find((reason) => reason !== null) ?? undefined,
    done: events.at(-1) === "[DONE]",
  };
}

/** Waits until something holds; the limit is only for a test that fails. */
export async function eventually(check: () => void): Promise<void> {
  await vi.waitFor(check, { timeout: 20_000, interval: 5 });
}

export async function expectError(response: Response, status: number, words: RegExp): Promise<ErrorBody["error"]> {
  expect(response.status).toBe(status);
  const { error } = (await response.json()) as ErrorBody;
  expect(error.message).toMatch(words);
  return error;
}
