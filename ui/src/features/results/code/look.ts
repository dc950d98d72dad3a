/** The styles and extensions of all read-only editors: the viewer of results and the comparison of two texts. */
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension } from "@codemirror/state";
import { drawSelection, EditorView, highlightSpecialChars, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** The syntax colors of JSON. */
export const COLOURS = syntaxHighlighting(HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--accent)" },
  { tag: tags.string, color: "var(--ok)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--warn)" },
]));

const tint = (colour: string, percent: number) => `color-mix(in srgb, var(--${colour}) ${percent}%, transparent)`;

const LOOK = EditorView.theme({
  "&": { color: "var(--text)", fontSize: "12px", minHeight: "0" },
  "&.cm-focused": { outline: "1px solid var(--accent)", outlineOffset: "-1px" },
  ".cm-content": { fontFamily: "var(--font-mono)", padding: "6px 0" },
  ".cm-scroller": { overflow: "auto", lineHeight: "18px" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--faint)", border: "none" },
  ".cm-foldPlaceholder": { backgroundColor: "var(--hover)", border: "none", color: "var(--dim)", padding: "0 4px" },
  ".cm-specialChar": { color: "var(--bad)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selected) !important" },
  ".cm-panels": { backgroundColor: "var(--sidebar)", color: "var(--text)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "6px 8px", fontFamily: "var(--font-sans)" },
  ".cm-panel.cm-search label": { fontSize: "12px" },
  ".cm-textfield": { backgroundColor: "var(--bg)", border: "1px solid var(--control)", borderRadius: "6px", padding: "2px 6px", fontSize: "12px" },
  ".cm-button": { backgroundImage: "none", backgroundColor: "var(--raised)", border: "1px solid var(--line)", borderRadius: "6px", fontSize: "12px", color: "var(--text)" },
  ".cm-panel.cm-search [name=select], .cm-panel.cm-search br": { display: "none" },
  ".cm-panel.cm-search [name=close]": { color: "var(--dim)", fontSize: "16px", right: "8px", top: "6px" },
  ".cm-searchMatch": { backgroundColor: "var(--warn-fill)", outline: "1px solid var(--warn)" },
  ".cm-searchMatch-selected, .cm-searchMatch-selected *": { backgroundColor: "var(--solid)", color: "var(--solid-text)" },
  ".cm-tooltip": { backgroundColor: "var(--raised)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-collapsedLines": { background: "var(--sidebar)", color: "var(--dim)", fontFamily: "var(--font-sans)" },
  "&.cm-merge-b .cm-changedLine, .cm-insertedLine": { backgroundColor: tint("ok", 12) },
  "&.cm-merge-a .cm-changedLine, .cm-deletedChunk, .cm-deletedLine": { backgroundColor: tint("bad", 12) },
  ".cm-deletedChunk": { paddingInlineStart: "6px" },
  "&.cm-merge-b .cm-changedText, .cm-insertedLine .cm-changedText": { background: tint("ok", 24) },
  "&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText": { background: tint("bad", 24) },
});

/** The extensions of a read-only editor that is a Tab stop with an accessible name. */
export function readOnly(label: string): Extension {
  return [
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0", dir: "ltr" }),
    EditorView.lineWrapping,
    // Makes invisible characters visible, as well as characters that change the direction of text.
    highlightSpecialChars({ addSpecialChars: /[\u2060-\u2065\u206a-\u206f\u{e0000}-\u{e007f}]/gu }),
    lineNumbers(),
    drawSelection(),
    COLOURS,
    LOOK,
  ];
}
