import type { StopName } from "../tour/tour";

interface StopWords {
  title: string;
  text: string;
}

const stops: Record<StopName, StopWords> = {
  roster: { title: "The roster", text: "All members and how they do. A member that is opened shows its tools, also before it runs: they are kept from the last time." },
  form: { title: "A tool's form", text: "Made of what the server says about its arguments. What is wrong is told at its field before anything is sent." },
  result: { title: "The result", text: "It appears beside the form, however the call ends. Earlier calls of the tool stay and can be compared." },
  history: { title: "The history", text: "Every call, yours and those of agents. One is replayed into its form, saved under a name, or compared with another." },
  agents: { title: "The gateway for agents", text: "One address for all agents. Its page says what they see, what that costs in tokens, and which calls have to ask you first." },
  palette: { title: "Find anything", text: "Tools, members, actions, past calls, and with ? the help." },
};

export const words = {
  stops,
};
