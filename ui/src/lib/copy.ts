/** Copies text to the clipboard. Returns whether that succeeded. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text);
  }
}

/** Copies text with `execCommand`, for pages without access to the Clipboard API. */
function copySelected(text: string): boolean {
  const field = document.createElement("textarea");
  field.value = text;
  field.className = "sr-only";
  document.body.append(field);
  const before = document.activeElement;
  field.select();
  try {
    // oxlint-disable-next-line typescript/no-deprecated -- the only alternative to the Clipboard API
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (before instanceof HTMLElement) before.focus();
  }
}
