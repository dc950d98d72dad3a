/** The full launch command of a member, beside the command that the user approved last. */
import { useId } from "react";

import type { LaunchView, MemberReview } from "../../ipc/bindings";
import { Button } from "../../components/Button";
import { Sign } from "../../components/Icon";
import { toTheMinute } from "../../lib/time";
import { originWords, TRUST } from "./faces";

const CODE = "font-mono text-sm whitespace-pre-wrap wrap-anywhere select-text";
const CELL = "border border-line px-2 py-1 text-start align-top";

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
    <section aria-labelledby={title} className={`flex flex-col gap-2 ${wanting ? "rounded-md bg-warn-fill p-4" : ""}`}>
      <h2 id={title} className="font-semibold">Command</h2>
      <p data-testid="launch-trust" data-trust={trust.launch}>
        <Sign of={shape} className={`me-1 ${colour}`} />
        {trust.launch === "accepted" && accepted ? (
          <>Approved <span className="text-dim">on {toTheMinute(accepted.atMs)}</span></>
        ) : (
          word
        )}
      </p>
      {trust.origin && <p className="break-words text-dim">Added from {originWords(trust.origin)}</p>}
      {launch === null ? (
        <p className="text-dim">plugin.json can't be read, so nothing runs.</p>
      ) : (
        <table className="w-full table-fixed border-collapse bg-bg">
          <colgroup><col className="w-40" /></colgroup>
          <caption className="sr-only">{before ? "Command changes" : "Command"}</caption>
          {before && (
            <thead>
              <tr>
                <td className={CELL} />
                <th scope="col" className={CELL}>Approved on {toTheMinute(before.atMs)}</th>
                <th scope="col" className={CELL}>Now</th>
              </tr>
            </thead>
          )}
          <tbody>
            {rows(launch, before?.launch ?? null).map(({ key, now, old }) => (
              <tr key={key} className={launchChanges.includes(key) ? "bg-warn-fill" : ""}>
                <th scope="row" className={`${CELL} font-normal wrap-anywhere text-dim`}>
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
  return text === undefined ? <span className="text-dim">None</span> : <code className={CODE}>{text}</code>;
}

interface Row {
  key: string;
  now: string | undefined;
  old: string | undefined;
}

/**
 * The launch settings in rows. `key` is the name of a setting as the review lists it among the changes, such as
 * `args[0]`.
 */
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
