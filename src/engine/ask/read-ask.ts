import { randomBytes } from "node:crypto";
import { type ChatBody, type CompletionBody, chatBodySchema, completionBodySchema } from "../../contract/openai.ts";
import type { Json, JsonObject } from "../../lib/exact-json.ts";
import { invalid } from "../../lib/refusal.ts";
import type { NativeEngine, NativeRequest } from "../native.ts";
import type { ChatTemplate } from "../prompt/chat-template.ts";
import { completionTokens } from "../prompt/completion-prompt.ts";
import { messageTexts } from "../prompt/message-texts.ts";
import { chatTokens } from "../prompt/prompt-tokens.ts";
import { type BootstrapRules, bootstrapOf } from "./bootstrap.ts";
import { fieldsOf, parsed } from "./body-fields.ts";
import { refuseUnsupported } from "./unsupported.ts";

export type AskKind = "chat" | "completion";

/** What a client asked for, checked, with its prompt in tokens. */
export type Ask = {
  readonly kind: AskKind;
  readonly request: NativeRequest;
  readonly stops: readonly string[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
};

export type AskContext = {
  readonly native: Pick<NativeEngine, "model" | "tokenize">;
  readonly template: ChatTemplate;
  readonly rules: BootstrapRules;
  /** Used when the body has no `rid`: the header x-request-id, else a fresh one. */
  readonly id: string;
};

/** Throws a Refusal that names what is wrong. */
export function readAsk(kind: AskKind, body: Json, context: AskContext): Ask {
  const fields = fieldsOf(body, context.native.model.contextMax);
  switch (kind) {
    case "chat": {
      const chat = parsed(chatBodySchema, fields);
      const finish = common(kind, chat, { ...context, fields });
      return finish(chatTokens(context.native, context.template.parts(messageTexts(chat.messages))));
    }
    case "completion": {
      const completion = parsed(completionBodySchema, fields);
      const finish = common(kind, completion, { ...context, fields });
      return finish(completionTokens(context.native, completion.prompt));
    }
  }
}

// Everything but the prompt is checked first: tokenising is the dear part.
function common(
  kind: AskKind,
  body: ChatBody | CompletionBody,
  context: AskContext & { readonly fields: JsonObject },
): (prompt: Int32Array) => Ask {
  const bootstrap = bootstrapOf(body, context.rules);
  refuseUnsupported(context.fields);
  const stops = stopsOf(body.stop);
  const id = requestId(body.rid ?? context.id);
  return (prompt) => ({
    kind,
    stops,
    stream: body.stream ?? false,
    includeUsage: body.stream_options?.include_usage ?? false,
    request: {
      id,
      prompt,
      tokensMax: body.max_completion_tokens ?? body.max_tokens ?? roomLeft(context.native.model, prompt.length),
      temperature: body.temperature ?? 1,
      seed: BigInt.asUintN(
        64,
        body.seed === null || body.seed === undefined ? (bootstrap?.room ?? freshSeed()) : BigInt(body.seed),
      ),
      stopsAtEnd: !(body.ignore_eos ?? false),
      ...(bootstrap === undefined ? {} : { bootstrap }),
    },
  });
}

const stopLengthMax = 256;

function stopsOf(stop: CompletionBody["stop"]): readonly string[] {
  const stops = typeof stop === "string" ? [stop] : (stop ?? []);
  const wrong = stops.find((text) => text === "" || text.length > stopLengthMax);
  if (wrong === undefined) return stops;
  throw invalid("stop", `Each stop string must have 1 to ${stopLengthMax} characters; one has ${wrong.length}.`);
}

function requestId(id: string): string {
  if (/^[\x21-\x7e]{1,128}$/.test(id)) return id;
  throw invalid("rid", "A request id must have 1 to 128 visible ASCII characters.");
}

const pageTokens = 16;

/** What an answer may have when the client names no limit; the engine refuses a prompt that leaves no room. */
function roomLeft(model: { readonly contextMax: number; readonly pages: number }, promptTokens: number): number {
  return Math.max(1, Math.min(model.contextMax, model.pages * pageTokens) - promptTokens);
}

// Both legs of a request draw the same tokens when the seed follows from the room; alone any seed will do.
function freshSeed(): bigint {
  return randomBytes(8).readBigUInt64BE();
}
