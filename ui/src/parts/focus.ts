/** Whether nothing has the focus, such as after a button that was pressed has gone. */
export function isFocusNowhere(): boolean {
  const focused = document.activeElement;
  return focused === null || focused === document.body;
}
