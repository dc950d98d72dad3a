/** All that a member runs, in full, beside what was accepted. */
import { useId } from "react";

import type { LaunchView, MemberReview } from "../bridge/bindings";
import { Button } from "../parts/Button";
import { Sign } from "../parts/Icon";
import { toTheMinute } from "../words/time";
import { originWords, TRUST } from "./faces";

const CODE = "font-mono text-sm whitespace-pre-wrap wrap-anywhere select-text";
const CELL = "border border-line px-2 py-0.5 text-start align-top";

interface Props {
  review: MemberReview;
  busy: boolean;
  onAccept: () => void;
}

export function LaunchReview({ review: { trust, launch, accepted, launchChanges }, busy, onAccept }: Props) {
  const title = useId();
  const { shape, colour, word } = TRUST[trust.launch];
  const wanting = trust.launch === "unreviewed" || trust.launch === "changed";
  const before = trust.launch === "changed" ? accepted : null;
  return (
    <section aria-labelledby={title} className={`flex flex-col gap-2 ${wanting ? "rounded-md border border-warn bg-warn-fill px-3 py-2" : ""}`}>
      <h2 id={title} className="font-semibold">Command</h2>
      <p data-testid="launch-trust" data-trust={trust.launch}>
        <Sign of={shape} className={`me-1 ${colour}`} />
        {trust.launch === "accepted" && accepted ? (
          <>accepted <span className="text-dim">on {toTheMinute(accepted.atMs)}</span></>
        ) : (
          word
        )}
      </p>
      {trust.origin && <p className="break-words text-dim">From {originWords(trust.origin)}</p>}
      {launch === null ? (
        <p className="text-dim">plugin.json can't be read, so nothing runs.</p>
      ) : (
        <table className="w-full table-fixed border-collapse">
          <caption className="sr-only">{before ? "Command changes" : "Command"}</caption>
          {before && (
            <thead>
              <tr>
                <td className={`${CELL} w-40`} />
                <th scope="col" className={CELL}>accepted on {toTheMinute(before.atMs)}</th>
                <th scope="col" className={CELL}>now</th>
              </tr>
            </thead>
          )}
          <tbody>
            {rows(launch, before?.launch ?? null).map(({ key, now, old }) => (
              <tr key={key} className={launchChanges.includes(key) ? "bg-warn-fill" : ""}>
                <th scope="row" className={`${CELL} w-40 font-normal wrap-anywhere text-dim`}>
                  {launchChanges.includes(key) && <span className="text-warn"><Sign of="delta" className="me-1" /></span>}
                  {key}
                </th>
                {before && <td className={CELL}>{value(old)}</td>}
                <td className={CELL}>{value(now)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {wanting && launch && (
        <div className="flex flex-wrap items-center gap-2">
          <Button look="accent" unavailable={busy ? "Approving…" : undefined} onClick={onAccept}>Approve and start</Button>
          <span className="text-dim">Nothing runs until you approve. Changes need approval again.</span>
        </div>
      )}
    </section>
  );
}

function value(text: string | undefined) {
  return text === undefined ? <span className="text-dim">none</span> : <code className={CODE}>{text}</code>;
}

interface Row {
  key: string;
  now: string | undefined;
  old: string | undefined;
}

/** The parts of a launch by the names that its changes have. */
function rows(now: LaunchView, old: LaunchView | null): Row[] {
  const [present, past] = [parts(now), old ? parts(old) : new Map<string, string>()];
  const keys = new Set([...present.keys(), ...past.keys()]);
  return [...keys].map((key) => ({ key, now: present.get(key), old: past.get(key) }));
}

function parts({ command, args, cwd, env, url, headers, auth, container }: LaunchView): Map<string, string> {
  const found = new Map<string, string>();
  if (command) found.set("command", command.text);
  for (const { name, value: { text } } of container) found.set(`container.${name}`, text);
  args.forEach(({ text }, index) => found.set(`args[${index}]`, text));
  if (cwd) found.set("cwd", cwd.text);
  if (url) found.set("url", url.text);
  for (const { name, value: { text } } of env) found.set(`env.${name}`, text);
  for (const { name, value: { text } } of headers) found.set(`headers.${name}`, text);
  for (const { name, value: { text } } of auth) found.set(`auth.${name}`, text);
  return found;
}
