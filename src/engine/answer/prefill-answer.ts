import type { ServerResponse } from "node:http";
import { errorBody, statusOf } from "../../contract/failure-status.ts";
import type { NativeEvent } from "../native.ts";
import { usageOf } from "./answer-writer.ts";
import type { EventSink } from "./live-answers.ts";
import { sendError } from "./send-error.ts";

/** The prefill leg of a request: it says only that decode has everything, and what came first. */
export function prefillAnswer(response: ServerResponse, id: string, onEnd: () => void): EventSink {
  let firstToken: number | undefined;
  return (event: NativeEvent): void => {
    switch (event.kind) {
      case "committed":
        return;
      case "token":
        firstToken ??= event.token;
        return;
      case "finished": {
        onEnd();
        const usage = usageOf(event.promptTokens, event.outputTokens);
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ id, first_token: firstToken, usage }));
        return;
      }
      case "failed":
        onEnd();
        sendError(response, statusOf(event.failure), errorBody(event.failure));
        return;
    }
  };
}
