/** The field for the name of the member to install, with the validation error of the name. */
import { useId } from "react";

import { NAME_MAX } from "./found/selection";
import { Sign } from "../../components/Icon";

interface Props {
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly wrong: string | undefined;
}

export function NameField({ name, onName, wrong }: Props) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">Member name</label>
      <input
        id={id}
        autoComplete="off"
        spellCheck={false}
        maxLength={NAME_MAX}
        value={name}
        aria-invalid={wrong !== undefined}
        aria-describedby={`${id}-says`}
        onChange={(event) => onName(event.target.value)}
        className="h-8 w-full max-w-md rounded-sm border border-control bg-bg px-2 aria-invalid:border-bad"
      />
      <p id={`${id}-says`} className="text-sm break-words text-bad empty:hidden">{wrong !== undefined && <><Sign of="cross" className="me-1" />{wrong}</>}</p>
    </div>
  );
}
