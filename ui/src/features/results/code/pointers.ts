/** Maps between positions in a JSON text and JSON Pointers, by the syntax tree of the viewer. */
import type { EditorState } from "@codemirror/state";
import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";

import { childPointer } from "../../form/model/pointer";

type Tree = ReturnType<typeof syntaxTree>;
type SyntaxNode = Tree["topNode"];

const VALUES = new Set(["Object", "Array", "String", "Number", "True", "False", "Null"]);
/** The maximum time of one parsing step, in milliseconds. */
const PARSE_MS = 200;

/** The items of a list, or the properties of an object. */
function* inside(node: SyntaxNode): Generator<SyntaxNode> {
  for (let child = node.firstChild; child !== null; child = child.nextSibling) {
    if (child.name === "Property" || VALUES.has(child.name)) yield child;
  }
}

function keyOf(state: EditorState, property: SyntaxNode): string {
  const name = property.getChild("PropertyName");
  const text = name === null ? '""' : state.sliceDoc(name.from, name.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}

function valueOf(property: SyntaxNode): SyntaxNode | null {
  const { lastChild } = property;
  return lastChild !== null && VALUES.has(lastChild.name) ? lastChild : null;
}

function parsed(state: EditorState, upTo: number): Tree {
  return ensureSyntaxTree(state, upTo, PARSE_MS) ?? syntaxTree(state);
}

/** The value at the cursor, with its JSON Pointer and its range in the text; `null` if there is none. */
export function placeAt(state: EditorState): { readonly pointer: string; readonly from: number; readonly to: number } | null {
  const at = state.selection.main.head;
  let node: SyntaxNode | null = parsed(state, at).resolveInner(at, 1);
  if (!VALUES.has(node.name) && node.name !== "Property" && node.parent?.name !== "Property") node = parsed(state, at).resolveInner(at, -1);
  if (node.name === "PropertyName") node = node.parent;
  const keys: string[] = [];
  let value: SyntaxNode | null = null;
  for (; node !== null; node = node.parent) {
    if (node.name === "Property") {
      value ??= valueOf(node);
      keys.unshift(keyOf(state, node));
    } else if (VALUES.has(node.name)) {
      value ??= node;
      const list: SyntaxNode | null = node.parent;
      if (list?.name === "Array") {
        let index = 0;
        for (const item of inside(list)) {
          if (item.from === node.from) break;
          index += 1;
        }
        keys.unshift(String(index));
      }
    }
  }
  if (value === null) return null;
  return { pointer: keys.reduce(childPointer, ""), from: value.from, to: value.to };
}

/** The range of the value at a path of keys or, if the path does not exist, of the last existing value on the path. */
export function rangeOf(state: EditorState, keys: readonly string[]): { readonly from: number; readonly to: number } | null {
  let node = [...inside(parsed(state, state.doc.length).topNode)][0] ?? null;
  for (const key of keys) {
    if (node === null) return null;
    let next: SyntaxNode | null = null;
    let index = 0;
    for (const child of inside(node)) {
      if (child.name === "Property" ? keyOf(state, child) === key : String(index) === key) next = child.name === "Property" ? valueOf(child) : child;
      if (next !== null && node.name === "Array") break;
      index += 1;
    }
    if (next === null) break;
    node = next;
  }
  return node && { from: node.from, to: node.to };
}

/** The ranges to fold: the contents of the lists and objects directly below the root. */
export function foldsOf(state: EditorState): { readonly from: number; readonly to: number }[] {
  const top = [...inside(parsed(state, state.doc.length).topNode)][0];
  if (top === undefined) return [];
  return [...inside(top)].flatMap((child) => {
    const value = child.name === "Property" ? valueOf(child) : child;
    const folds = value !== null && (value.name === "Object" || value.name === "Array") && value.to - value.from > 2;
    return folds ? [{ from: value.from + 1, to: value.to - 1 }] : [];
  });
}
