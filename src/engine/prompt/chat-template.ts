import { Template } from "@huggingface/jinja";
import { invalid, Refusal } from "../../lib/refusal.ts";
import { type Message, type PromptPart, splitByContents } from "./sentinels.ts";

export type TemplateSource = { readonly chatTemplate: string; readonly bosText: string; readonly eosText: string };

/** A model's chat template, compiled once. */
export type ChatTemplate = { parts(messages: readonly Message[]): readonly PromptPart[] };

/** Never throws: a model without a usable template still answers completions. */
export function chatTemplateOf(source: TemplateSource): ChatTemplate {
  if (source.chatTemplate === "") return refusing("The model file has no chat template: use /v1/completions.");
  try {
    return compiled(new Template(source.chatTemplate), source);
  } catch (error) {
    return refusing(`The chat template of the model cannot be read (${wordsOf(error)}): use /v1/completions.`);
  }
}

function compiled(template: Template, { bosText, eosText }: TemplateSource): ChatTemplate {
  const render = (messages: readonly Message[]): string =>
    template.render({
      messages,
      add_generation_prompt: true,
      bos_token: bosText,
      eos_token: eosText,
    });
  return {
    parts(messages) {
      const split = renderSplit(messages, render);
      if (split.kind === "parts") return split.parts;
      const words = `The chat template rewrites the content of messages[${split.index}], so that it cannot be kept apart from control tokens: use /v1/completions.`;
      throw invalid("messages", words);
    },
  };
}

function renderSplit(
  messages: readonly Message[],
  render: (messages: readonly Message[]) => string,
): ReturnType<typeof splitByContents> {
  try {
    return splitByContents(messages, render);
  } catch (error) {
    throw invalid("messages", `The chat template of the model refuses these messages: ${wordsOf(error)}`);
  }
}

function refusing(words: string): ChatTemplate {
  return {
    parts() {
      throw new Refusal("invalid", words);
    },
  };
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
