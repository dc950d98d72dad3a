
export const words = {
  request: { title: "Request", text: "request" },
  answer: { title: "Answer", text: "answer" },
  /** `kept` is how much of a longer one is there. */
  size: (whole: string, kept: string | null) => `${whole}${kept === null ? "" : `, its first ${kept} are kept`}, secrets masked`,
};
