/** A member to be written: the command that begins one, and what has to be run before it starts. */
import { useId, useState } from "react";

import { useHouse } from "../../app/house";
import { useStore } from "../../hall/store";
import { Button } from "../../parts/Button";
import { CopyButton } from "../../parts/CopyButton";
import { words } from "../../words/writing";
import { beginCommand, BEGINNINGS, nameTrouble, type Beginning } from "./beginnings";

const CODE = "block rounded-sm bg-surface px-2 py-1 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-text";

export default function WritingTab() {
  const house = useHouse();
  const [language, setLanguage] = useState<Beginning>("python");
  const [name, setName] = useState("words");
  const members = useStore(house.hall.state, (state) => state.byName);
  const folder = useStore(house.hall.state, (state) => state.membersDir);
  const id = useId();
  const trouble = nameTrouble(name, members);
  const command = beginCommand(name, language, folder);
  const { setUp } = BEGINNINGS[language];
  return (
    <div className="flex max-w-4xl flex-col gap-3 p-4">
      <p className="text-dim">{words.whatItIs}</p>
      <fieldset>
        <legend className="font-medium">{words.language}</legend>
        <div className="mt-1 flex flex-wrap gap-x-4 gap-y-1">
          {(Object.keys(BEGINNINGS) as Beginning[]).map((one) => (
            <label key={one} className="flex items-center gap-1">
              <input type="radio" name={`${id}-language`} checked={one === language} onChange={() => setLanguage(one)} />
              <span lang="en">{BEGINNINGS[one].name}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <div>
        <label htmlFor={`${id}-name`} className="font-medium">{words.name}</label>
        <input
          id={`${id}-name`}
          type="text"
          value={name}
          maxLength={64}
          spellCheck={false}
          autoComplete="off"
          aria-invalid={trouble !== null}
          aria-describedby={`${id}-trouble`}
          onChange={(event) => setName(event.target.value)}
          className="mt-1 block h-7 w-full max-w-80 rounded-sm border border-line-strong bg-bg px-2 font-mono text-sm"
        />
        <p id={`${id}-trouble`} role="status" className="mt-1 break-words empty:hidden">
          {trouble !== null && <><span aria-hidden className="text-bad">✕ </span>{trouble}</>}
        </p>
      </div>
      {trouble === null && (
        <ol aria-label={words.steps} className="flex list-decimal flex-col gap-3 ps-5">
          <li>
            <p>{words.begin}</p>
            <Line text={command} />
          </li>
          {setUp.length > 0 && (
            <li>
              <p>{words.setUp}</p>
              {setUp.map((line) => <Line key={line} text={line} />)}
            </li>
          )}
          <li>
            <p>{words.then}</p>
            <div className="mt-1 flex flex-wrap gap-2">
              <Button onClick={() => house.openHelp("user-guide#writing-a-member")}>{words.guide}</Button>
            </div>
          </li>
        </ol>
      )}
    </div>
  );
}

/** A line for a terminal. */
function Line({ text }: { text: string }) {
  return (
    <div className="mt-1 flex items-start gap-2">
      <code lang="en" dir="ltr" className={`${CODE} min-w-0 flex-1`}>{text}</code>
      <CopyButton what={words.command} text={() => text} />
    </div>
  );
}
