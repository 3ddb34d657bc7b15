import { writeFileSync } from "node:fs";

const tokens = 288;
const width = 64;
const types = { uint32: 4, int32: 5, float32: 6, bool: 7, string: 8, array: 9 } as const;

/** A GGUF file of the llama architecture, one layer with random F32 weights and a vocabulary of bytes. */
export function writeTinyGguf(path: string): void {
  const tensors = tinyTensors();
  const head = Buffer.concat([
    Buffer.from("GGUF"),
    uint32(3),
    uint64(tensors.length),
    uint64(tinyKeys().length),
    ...tinyKeys(),
    ...tensorInfos(tensors),
  ]);
  writeFileSync(path, Buffer.concat([padded(head), ...tensors.map(({ out, inner }) => padded(weights(out * inner)))]));
}

type Tensor = { readonly name: string; readonly inner: number; readonly out: number };

function tinyTensors(): readonly Tensor[] {
  const block = (name: string, inner: number, out: number) => ({ name: `blk.0.${name}.weight`, inner, out });
  return [
    { name: "token_embd.weight", inner: width, out: tokens },
    { name: "output_norm.weight", inner: width, out: 1 },
    block("attn_norm", width, 1),
    ...["attn_q", "attn_k", "attn_v", "attn_output"].map((name) => block(name, width, width)),
    block("ffn_norm", width, 1),
    ...["ffn_gate", "ffn_up", "ffn_down"].map((name) => block(name, width, width)),
  ];
}

function tensorInfos(tensors: readonly Tensor[]): Buffer[] {
  let offset = 0;
  return tensors.map(({ name, inner, out }) => {
    const shape = out === 1 ? [inner] : [inner, out];
    const info = [string(name), uint32(shape.length), ...shape.map(uint64), uint32(0), uint64(offset)];
    offset += Math.ceil((inner * out * 4) / 32) * 32;
    return Buffer.concat(info);
  });
}

function tinyKeys(): readonly Buffer[] {
  const number = (name: string, value: number) => key(name, types.uint32, uint32(value));
  const real = (name: string, value: number) => key(name, types.float32, float32(value));
  const text = (name: string, value: string) => key(name, types.string, string(value));
  return [
    text("general.architecture", "llama"),
    text("general.name", "tiny"),
    number("llama.block_count", 1),
    number("llama.embedding_length", width),
    number("llama.attention.head_count", 1),
    number("llama.attention.head_count_kv", 1),
    number("llama.feed_forward_length", width),
    number("llama.rope.dimension_count", width),
    number("llama.context_length", 512),
    real("llama.attention.layer_norm_rms_epsilon", 1e-5),
    real("llama.rope.freq_base", 10_000),
    text("tokenizer.ggml.model", "gpt2"),
    text("tokenizer.ggml.pre", "gpt-2"),
    array("tokenizer.ggml.tokens", types.string, vocabulary().map(string)),
    array(
      "tokenizer.ggml.token_type",
      types.int32,
      vocabulary().map((_, id) => uint32(id === 256 ? 3 : 1)),
    ),
    array("tokenizer.ggml.merges", types.string, [string("a b")]),
    number("tokenizer.ggml.bos_token_id", 256),
    number("tokenizer.ggml.eos_token_id", 256),
  ];
}

/** The 256 bytes as GPT-2 writes them (itself where it can be seen, else a character from 256 on), an end, fillers. */
function vocabulary(): readonly string[] {
  let next = 256;
  const bytes = Array.from({ length: 256 }, (_, byte) => {
    const seen = (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
    return String.fromCharCode(seen ? byte : next++);
  });
  return [...bytes, "<end>", ...Array.from({ length: tokens - 257 }, (_, i) => `filler${i}`)];
}

function weights(count: number): Buffer {
  let state = count;
  return Buffer.concat(
    Array.from({ length: count }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return float32((state / 2 ** 32 - 0.5) / 2);
    }),
  );
}

function key(name: string, type: number, value: Buffer): Buffer {
  return Buffer.concat([string(name), uint32(type), value]);
}

function array(name: string, type: number, values: readonly Buffer[]): Buffer {
  return key(name, types.array, Buffer.concat([uint32(type), uint64(values.length), ...values]));
}

function string(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([uint64(bytes.length), bytes]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function uint64(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}

function float32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeFloatLE(value);
  return bytes;
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((32 - (bytes.length % 32)) % 32)]);
}
