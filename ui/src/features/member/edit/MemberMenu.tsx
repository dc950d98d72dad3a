/** The button with further actions on a member. */
import { useHouse } from "../../../app/house";
import type { MemberView } from "../../../ipc/bindings";
import { useStore } from "../../../lib/store";
import { IconButton } from "../../../components/IconButton";
import { Menu } from "../../../components/Menu";
import { memberMenuItems } from "./memberMenuItems";

export function MemberMenu({ member }: { readonly member: MemberView }) {
  const house = useHouse();
  useStore(house.hall.pending, (pending) => pending);
  return (
    <Menu items={memberMenuItems(house, member)}>
      <IconButton icon="more" label={`More actions for ${member.name}`} title="More actions" data-testid="member-menu" />
    </Menu>
  );
}
