
/** The questions of servers to a person. */
export const words = {
  questionsOf: (member: string) => `Questions of ${member}`,
  answerOne: (member: string, question: string) => `Answer ${member}: ${question}`,

  endings: {
    went: (host: string) => `you said that you went to ${host}`,
    itsAddress: "its address",
    answered: "you answered",
    declined: "you declined",
    cancelled: "you cancelled the question",
    overdue: "nobody answered in time",
    waitsNoMore: (member: string) => `${member} waits for no answer any more`,
    wentOn: "the call went on without an answer",
    callCancelled: "the call was cancelled",
    callOverdue: "the call went past its time limit",
    memberEnded: (member: string) => `${member} ended`,
    callEnded: "the call ended without an answer",
  },
};
