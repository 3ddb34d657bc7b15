import type { ChatBody } from "../../contract/openai.ts";
import { invalid } from "../../lib/refusal.ts";
import type { Message } from "./sentinels.ts";

/** The messages of a chat as plain texts; what cannot be one is refused by name. */
export function messageTexts(messages: ChatBody["messages"]): readonly Message[] {
  return messages.map((message, index) => ({
    role: roleOf(message.role, index),
    content: contentOf(message.content, `messages[${index}].content`),
  }));
}

// A role goes into the prompt as the template writes it, so only known ones pass. `developer` is the newer word.
const roles: Readonly<Record<string, string>> = {
  system: "system",
  developer: "system",
  user: "user",
  assistant: "assistant",
};

function roleOf(role: string, index: number): string {
  const known = Object.hasOwn(roles, role) ? roles[role] : undefined;
  if (known !== undefined) return known;
  throw invalid(
    `messages[${index}].role`,
    `messages[${index}].role must be one of ${Object.keys(roles).join(", ")}; found ${JSON.stringify(role.slice(0, 40))}.`,
  );
}

function contentOf(content: unknown, name: string): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content))
    return content.map((part: unknown, index) => partText(part, `${name}[${index}]`)).join("\n");
  throw invalid(name, `${name} must be a string or a list of text parts.`);
}

function partText(part: unknown, name: string): string {
  if (typeof part === "object" && part !== null && "type" in part) {
    if (part.type === "text" && "text" in part && typeof part.text === "string") return part.text;
    throw invalid(name, `${name} has the type ${JSON.stringify(part.type)}; this engine reads text only.`);
  }
  throw invalid(name, `${name} must be {"type": "text", "text": …}.`);
}
