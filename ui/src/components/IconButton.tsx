import type { ComponentProps } from "react";

import { Button } from "./Button";
import { Icon } from "./Icon";
import { SIGNS, type SignName } from "./signs";

type Props = Omit<ComponentProps<typeof Button>, "children"> & { icon: SignName; label: string };

/** A button that shows only an icon. `label` is its accessible label and, without `title`, its tooltip. */
export function IconButton({ icon, label, title = label, className = "", ...rest }: Props) {
  return (
    <Button look="quiet" aria-label={label} title={title} className={`w-7 px-0! aria-[current=page]:bg-selected aria-[current=page]:text-accent ${className}`.trim()} {...rest}>
      <Icon of={SIGNS[icon]} />
    </Button>
  );
}
