import { number } from "./format";

/** The embeddings endpoint that ranks tools by meaning. */
export const words = {
  title: "Search by meaning",
  about:
    "Optional. An embeddings endpoint that you run or choose (Ollama, LM Studio, llama.cpp or another) helps agents find tools by meaning. It is sent the names and descriptions of your tools and each task that an agent searches for. Without it, nothing is sent and words alone decide.",
  address: "Address",
  addressNote: "It most often ends in /v1, e.g. http://127.0.0.1:11434/v1. Addresses of other machines begin with https://.",
  model: "Model",
  modelNote: "Its name at the endpoint, e.g. all-minilm.",
  key: "Key",
  keyNote: "Leave it empty, or enter a reference: ${secret:embeddings-key} or ${env:NAME}. Store key puts the key itself where secrets are kept.",
  needsBoth: "Enter an address and a model",
  keyIsReference: "The key is a reference such as ${secret:embeddings-key}. Use Store key to keep the key itself.",
  busy: "The endpoint is being asked or saved",
  save: "Save endpoint",
  test: "Test endpoint",
  testing: "Testing…",
  storeKey: "Store key…",
  remove: "Remove endpoint",
  isSaved: "The endpoint is saved.",
  isRemoved: "The endpoint is removed: words alone decide.",
  works: (dimensions: number, ms: number) => `The endpoint works: vectors of ${number(dimensions)} numbers, answered in ${number(ms)} ms.`,
};
