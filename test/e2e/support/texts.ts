const sentences = [
  "The old bridge over the river was closed for repairs in the spring.",
  "Every morning the baker carries forty loaves of bread to the market.",
  "A page of memory holds sixteen tokens, and a table says who owns it.",
  "When the rain stopped, the children ran out to look for frogs.",
  "The committee could not agree on the colour of the new town hall.",
  "In 1969 two people walked on the Moon and came home safely.",
  "Copper conducts electricity well, and silver does it even better.",
  "She wrote the letter twice, tore it up, and went for a walk instead.",
  "Most ferns grow in the shade, where the soil stays wet all summer.",
  "The train to the coast leaves at seven and is rarely on time.",
  "Nobody knew why the clock in the tower had begun to run backwards.",
  "Bees tell each other where flowers are by dancing in the hive.",
];

/** About as many tokens as asked: these sentences have 12 to 17 each, and no two texts begin alike. */
export function textOf(tokens: number, seed: number): string {
  const words: string[] = [];
  for (let index = seed; words.length < tokens; index = (index * 5 + 7 + seed) % 1009) {
    words.push(...(sentences[index % sentences.length] ?? "").split(" "));
  }
  return words.slice(0, Math.max(1, Math.round(tokens * 0.86))).join(" ");
}

/** A small generator (mulberry32) with a seed that a failing test prints. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
