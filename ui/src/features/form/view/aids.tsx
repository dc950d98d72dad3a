/** Input aids at the end of a text field: pickers for dates and paths, and generators such as for UUIDs. */

import { useState } from "react";

import { IconButton } from "../../../components/IconButton";
import { number } from "../../../lib/format";
import { put, type Place, useFormCommands } from "../commands";
import { type Aid, base64Bytes, newUuid, type PathKind, pickedText, pickerValue } from "../model/aids";
import { text } from "../model/draft";

const PICKING = {
  file: { icon: "file", title: "Choose a file", label: "Browse for a file" },
  folder: { icon: "folderOpen", title: "Choose a folder", label: "Browse for a folder" },
  "new-file": { icon: "file", title: "Choose where to write the file", label: "Choose where to write the file" },
} as const;

const PICKERS = {
  date: { type: "date", label: "Pick the date" },
  time: { type: "time", label: "Pick the time" },
  "date-time": { type: "datetime-local", label: "Pick the date and time" },
} as const;

interface Props {
  readonly aid: Aid;
  readonly value: string;
  readonly place: Place;
  readonly label: string;
}

export function TextAid({ aid, value, place, label }: Props) {
  const form = useFormCommands();
  const set = (next: string) => put(form, place, text(next));
  switch (aid.kind) {
    case "date":
    case "time":
    case "date-time": {
      const { kind } = aid;
      return (
        <input
          type={PICKERS[kind].type}
          step={kind === "date" ? undefined : 1}
          aria-label={`${PICKERS[kind].label} for ${label}`}
          // The picker's own text is transparent, because the text field shows the value. Only the picker's button is
          // needed.
          className="h-6 w-7 shrink-0 rounded-sm bg-bg text-transparent"
          value={pickerValue(kind, value)}
          onChange={(event) => {
            if (event.target.value !== "") set(pickedText(kind, event.target.value, value, new Date()));
          }}
        />
      );
    }
    case "uuid":
      return (
        <IconButton icon="refresh" label={`Generate a UUID for ${label}`} title="Generate a UUID" className="h-6! w-6!" onClick={() => set(newUuid())} />
      );
    case "path":
      return form.pickPath === null ? null : <PathButtons wanted={aid.wanted} label={label} onPath={set} />;
  }
}

function PathButtons(props: { wanted: PathKind; label: string; onPath: (path: string) => void }) {
  const { wanted, label, onPath } = props;
  const form = useFormCommands();
  const [problem, setProblem] = useState<string | null>(null);
  const browse = (kind: Exclude<PathKind, "either">) => {
    setProblem(null);
    form.pickPath?.({ kind }).then(
      (path) => {
        if (path !== null) onPath(path);
      },
      (reason: unknown) => setProblem(reason instanceof Error ? reason.message : "No path could be picked."),
    );
  };
  const kinds = wanted === "either" ? (["file", "folder"] as const) : [wanted];
  return (
    <span className="flex shrink-0 items-center">
      {kinds.map((kind) => (
        <IconButton key={kind} icon={PICKING[kind].icon} label={`${PICKING[kind].label} for ${label}`} title={PICKING[kind].title} className="h-6! w-6!" onClick={() => browse(kind)} />
      ))}
      {problem !== null && <span role="alert" className="bg-bg text-sm text-bad">{problem}</span>}
    </span>
  );
}

/** Maximum size of a file in bytes. Base64 makes it a third larger, and arguments may have at most 8 MiB. */
const FILE_BYTES_MAX = 5.5 * 1024 * 1024;

/** An input that reads a file as base64, and shows the size of the data that will be sent. */
export function FileChooser(props: { label: string; value: string; onText: (base64: string) => void }) {
  const { label, value, onText } = props;
  /** The file that was read last. The file's name is shown only while the field still has the file's content. */
  const [chosen, setChosen] = useState<{ name: string; base64: string } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const read = (file: File) => {
    if (file.size > FILE_BYTES_MAX) {
      setProblem("The file is too large: as base64 it would be more than the 8 MiB that arguments may have.");
      return;
    }
    const reader = new FileReader();
    reader.onload = () => {
      const address = typeof reader.result === "string" ? reader.result : "";
      const comma = address.indexOf(",");
      const base64 = comma < 0 ? "" : address.slice(comma + 1);
      setProblem(null);
      setChosen({ name: file.name, base64 });
      onText(base64);
    };
    reader.onerror = () => setProblem("The file could not be read.");
    reader.readAsDataURL(file);
  };
  const size = value === "" ? null : base64Bytes(value);
  const name = chosen?.base64 === value ? chosen.name : null;
  return (
    <span className="mt-1 block">
      <input
        type="file"
        aria-label={`File for ${label}`}
        // Hides the browser's label, which would say that no file is chosen.
        className="w-full text-sm text-transparent file:text-dim"
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file !== undefined) read(file);
          // Clearing the input allows choosing the same file again, and hides the name of a file that was not read.
          event.target.value = "";
        }}
      />
      {value !== "" && (
        <span className="block text-sm break-words text-dim">
          {size === null ? "not base64" : name === null ? `${number(size)} B` : `${name} · ${number(size)} B`}
        </span>
      )}
      {problem !== null && <span role="alert" className="text-bad">{problem}</span>}
    </span>
  );
}
