/** Menus of actions: `Menu` opens below a button, `PointerMenu` at the pointer. */
import { ContextMenu, DropdownMenu } from "radix-ui";
import { type ReactElement, type ReactNode, useId, useRef } from "react";

import { isFocusNowhere } from "../lib/focus";
import { Icon } from "./Icon";
import { SIGNS, type SignName } from "./signs";

export interface MenuAction {
  /** The React key of the item. Needed if items are added or removed while the menu is open. */
  readonly id?: string;
  readonly label: ReactNode;
  readonly icon?: SignName;
  /** The label of the action's shortcut, such as `⇧⌘R`. */
  readonly keys?: string | undefined;
  readonly onSelect: () => void;
  /** The reason why the action is disabled, shown below its label. */
  readonly unavailable?: string | undefined;
  /** Whether this option of a group is the selected one. If set, the item has the role `menuitemradio`. */
  readonly checked?: boolean;
  /** Whether the action deletes or removes something. */
  readonly danger?: boolean;
  readonly testId?: string;
}

interface MenuGroup {
  readonly heading: string;
  readonly items: readonly MenuItem[];
}

/** An action, a separator line, a group of items below a heading, or a submenu. */
export type MenuItem = MenuAction | "line" | MenuGroup | { readonly label: ReactNode; readonly icon?: SignName; readonly items: readonly MenuItem[] };

type Kind = typeof DropdownMenu | typeof ContextMenu;

/** Both kinds of menu inherit `--radix-popper-available-height` from the element that positions them. */
const PANE =
  "z-50 max-h-[min(70vh,var(--radix-popper-available-height,70vh))] min-w-48 max-w-[min(420px,calc(100vw-24px))] animate-appear overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-(--shadow)";
const ROW = "flex min-h-7 items-center gap-2 rounded-sm px-2 py-1 outline-none select-none data-[disabled]:text-faint data-[highlighted]:bg-hover data-[state=open]:bg-hover";

interface ItemsProps {
  readonly of: readonly MenuItem[];
  readonly kind: Kind;
  /** Called with the action of the selected item. Without it, the action runs at once. */
  readonly onChoose?: ((run: () => void) => void) | undefined;
}

function Items({ of: items, kind: Kind, onChoose }: ItemsProps) {
  return items.map((item, index) => {
    if (item === "line") return <Kind.Separator key={index} className="my-1 h-px bg-line" />;
    if ("heading" in item) return <Group key={index} of={item} kind={Kind} onChoose={onChoose} />;
    const icon = <span className="inline-flex w-4 shrink-0 text-dim">{item.icon && <Icon of={SIGNS[item.icon]} size={14} />}</span>;
    if ("items" in item) {
      return (
        <Kind.Sub key={index}>
          <Kind.SubTrigger className={ROW}>
            {icon}
            <span className="min-w-0 flex-1">{item.label}</span>
            <Icon of={SIGNS.chevronRight} size={14} className="text-dim rtl:-scale-x-100" />
          </Kind.SubTrigger>
          <Kind.Portal>
            <Kind.SubContent collisionPadding={8} className={PANE}>
              <Items of={item.items} kind={Kind} onChoose={onChoose} />
            </Kind.SubContent>
          </Kind.Portal>
        </Kind.Sub>
      );
    }
    return (
      <Kind.Item
        key={item.id ?? index}
        {...(item.checked !== undefined && { role: "menuitemradio", "aria-checked": item.checked })}
        data-testid={item.testId}
        disabled={item.unavailable !== undefined}
        onSelect={() => (onChoose ? onChoose(item.onSelect) : item.onSelect())}
        className={`${ROW} ${item.danger === true ? "text-bad" : ""}`}
      >
        {icon}
        <span className="flex min-w-0 flex-1 flex-col break-words">
          {item.label}
          {item.unavailable !== undefined && <span className="text-sm">{item.unavailable}</span>}
        </span>
        {item.checked === true && <Icon of={SIGNS.check} size={14} className="text-accent" />}
        {item.keys !== undefined && <span className="text-sm text-faint">{item.keys}</span>}
      </Kind.Item>
    );
  });
}

function Group({ of: { heading, items }, kind: Kind, onChoose }: Omit<ItemsProps, "of"> & { readonly of: MenuGroup }) {
  const id = useId();
  return (
    <Kind.Group aria-labelledby={id}>
      <Kind.Label id={id} className="px-2 py-1 text-sm text-faint">{heading}</Kind.Label>
      <Items of={items} kind={Kind} onChoose={onChoose} />
    </Kind.Group>
  );
}

interface MenuProps {
  /** The element that opens the menu: a button, or the target of the context menu. */
  readonly children: ReactElement;
  readonly items: readonly MenuItem[];
  readonly align?: "start" | "end";
  readonly open?: boolean | undefined;
  readonly onOpenChange?: (open: boolean) => void;
  /**
   * Whether the selected action runs only when the menu is removed and its button has the focus again, so that a page
   * or dialog opened by the action can return the focus to the button.
   */
  readonly runsOnceClosed?: boolean;
}

/** Returns the focus to the menu's button only if no element has it, because the action may have moved the focus. */
function leaveFocus(event: Event): void {
  if (!isFocusNowhere()) event.preventDefault();
}

export function Menu({ children, items, align = "end", open, onOpenChange, runsOnceClosed = false }: MenuProps) {
  const chosen = useRef<(() => void) | null>(null);
  const onChoose = (run: () => void) => {
    chosen.current = run;
  };
  const onCloseAutoFocus = (event: Event) => {
    leaveFocus(event);
    const run = chosen.current;
    chosen.current = null;
    // Radix focuses the button after this handler.
    if (run) queueMicrotask(run);
  };
  return (
    <DropdownMenu.Root modal={false} {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <DropdownMenu.Trigger asChild>{children}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content onCloseAutoFocus={onCloseAutoFocus} align={align} sideOffset={4} collisionPadding={8} className={PANE}>
          <Items of={items} kind={DropdownMenu} onChoose={runsOnceClosed ? onChoose : undefined} />
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

/** The context menu of its child. */
export function PointerMenu({ children, items }: Pick<MenuProps, "children" | "items">) {
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>{children}</ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content collisionPadding={8} className={PANE}>
          <Items of={items} kind={ContextMenu} />
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  );
}
