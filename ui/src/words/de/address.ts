import type { en } from "../en/address";

export const de: typeof en = {
  noAddress: "Das ist keine Adresse, die ein Browser aufrufen kann.",
  plainHere: "Sie beginnt nicht mit https; sie bleibt auf diesem Rechner.",
  plain: "Sie beginnt nicht mit https: Unterwegs kann mitgelesen und verändert werden, was gesendet wird.",
  otherProgram: (protocol) => `Sie beginnt nicht mit https, sondern mit ${protocol}, und würde von einem anderen Programm geöffnet.`,
  lookAlike: (host) => `Der Host enthält Buchstaben, die anderen gleichen können. Für einen Browser ist er ${host}.`,
  punycode: "Der Host ist in Punycode geschrieben (xn--): Ein Browser zeigt ihn vielleicht mit Buchstaben, die anderen gleichen.",
  readAs: (host) => `Ein Browser liest den Host als ${host}.`,
  number: "Der Host ist eine Zahl, kein Name.",
  beforeAt: (host) => `Was vor dem @ steht, ist nicht das Ziel; das Ziel ist ${host}.`,
  hidden: "Sie enthält unsichtbare Zeichen; sie werden als ⟨…⟩ gezeigt.",
  backslash: "Sie enthält einen \\, den Browser als / lesen.",
};
