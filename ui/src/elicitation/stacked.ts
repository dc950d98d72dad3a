/** In narrow places, such as beside a tool's form, a field is below its name instead of beside it. */
export const STACKED =
  "@max-lg:[&_div[data-place]]:grid-cols-[minmax(0,1fr)_auto] @max-lg:[&_div[data-place]>:nth-child(2)]:col-span-full @max-lg:[&_div[data-place]>:nth-child(2)]:row-start-2";
