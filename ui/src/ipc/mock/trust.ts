/** Mocks the reviews of members. Tests set the reviews and the revisions of tool lists. */
import type { MemberReview, MemberView, Revision, Suspicion } from "../bindings";
import type { Answers } from "../answers";
import { refusal } from "./refusal";

interface Members {
  view: (name: string) => MemberView;
  change: (name: string, changes: Partial<MemberView>) => MemberView;
}

function refused(code: "review-outdated" | "history-entry-unknown", member: string, message: string) {
  return Promise.reject(refusal(code, message, "Look at the review again.", member));
}

export class MockTrust {
  /** Fields of reviews by member, which are added to the fields from the member's view. */
  readonly reviews = new Map<string, Partial<Omit<MemberReview, "member" | "trust">>>();
  /** The suspicious texts in tools, by `member/tool`. */
  readonly suspicions = new Map<string, Suspicion[]>();
  /** The revisions of tool lists by member, newest first. */
  readonly kept = new Map<string, Revision[]>();

  readonly #members: Members;

  constructor(members: Members) {
    this.#members = members;
  }

  readonly handlers: Answers = {
    member_review: ({ member }) => Promise.resolve(this.#review(member)),
    accept_member: ({ member, hash }) => {
      if (this.#review(member).launch?.hash !== hash) return refused("review-outdated", member, "What it runs is not what was shown.");
      const { trust } = this.#members.view(member);
      return Promise.resolve(this.#members.change(member, { status: "ready", trust: { ...trust, launch: "accepted" } }));
    },
    accept_tools: ({ member, list, tools }) => {
      const review = this.#review(member);
      if (review.list !== list) return refused("review-outdated", member, "Its tools are not those that were shown.");
      const left = review.tools.filter(({ name, difference }) => difference !== "same" && tools !== null && !tools.includes(name));
      this.reviews.set(member, { ...this.reviews.get(member), tools: left });
      const held = left.filter(({ difference }) => difference !== "gone").length;
      this.#members.change(member, { trust: { ...review.trust, holds: true, held } });
      return Promise.resolve(this.#review(member));
    },
    hold_changes: ({ member, hold }) => {
      const { trust } = this.#members.view(member);
      return Promise.resolve(this.#members.change(member, { trust: { ...trust, holds: hold, held: hold ? trust.held : 0 } }));
    },
    revisions: ({ member, before, limit }) => {
      const older = (this.kept.get(member) ?? []).filter(({ view }) => before === null || view.id < before);
      const revisions = older.slice(0, limit).map(({ view }) => view);
      return Promise.resolve({ member, revisions, more: older.length > limit, trouble: null });
    },
    revision: ({ member, id }) => {
      const found = this.kept.get(member)?.find(({ view }) => view.id === id);
      return found ? Promise.resolve(found) : refused("history-entry-unknown", member, "It is not in the history any more.");
    },
  };

  #review(member: string): MemberReview {
    const { trust, tools } = this.#members.view(member);
    return {
      member,
      trust,
      launch: null,
      accepted: null,
      launchChanges: [],
      list: "",
      count: tools,
      reviewedAtMs: null,
      tools: [],
      more: 0,
      warning: null,
      ...this.reviews.get(member),
    };
  }
}
