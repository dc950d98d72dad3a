import { Segmented } from "../../components/Segmented";

/** The labels of all views. They are also the values that are stored. */
type View = "Rendered" | "Plain" | "Table" | "Tree" | "Text" | "Raw" | "Formatted" | "Response" | "Request";

interface Props<V extends View> {
  readonly label: string;
  readonly views: readonly V[];
  readonly view: V;
  readonly onView: (view: V) => void;
}

/** A segmented control that selects one of several views. Hidden if there is only one view. */
export function ViewSwitch<V extends View>({ label, views, view, onView }: Props<V>) {
  if (views.length < 2) return null;
  return <Segmented aria-label={label} className="text-sm" value={view} options={views.map((name) => ({ value: name, label: name }))} onValue={onView} />;
}
