/** One server-sent event with one line of data. */
export function sseEvent(data: string): string {
  return `data: ${data}\n\n`;
}

/** What ends a stream of the OpenAI kind. */
export const sseDone = "data: [DONE]\n\n";

export const sseHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Proxies of the nginx kind would otherwise collect the events.
  "x-accel-buffering": "no",
} as const;
