export type { Answers } from "../bridge/mock";
