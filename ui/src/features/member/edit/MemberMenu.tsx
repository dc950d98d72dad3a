/** A button that opens a menu with further actions on a member. */
import type { MemberView } from "../../../ipc/bindings";
import { useDesktop } from "../../../lib/desktop";
import { useHall } from "../../../lib/hall/hall";
import { useNavigation } from "../../../lib/navigation/navigation";
import { useSpoken } from "../../../lib/spoken";
import { useStore } from "../../../lib/store";
import { IconButton } from "../../../components/IconButton";
import { Menu } from "../../../components/Menu";
import { useManaging } from "./managing";
import { memberMenuItems } from "./memberMenuItems";

export function MemberMenu({ member }: { readonly member: MemberView }) {
  const hall = useHall();
  const desktop = useDesktop();
  const managing = useManaging();
  const navigation = useNavigation();
  const spoken = useSpoken();
  useStore(hall.pending, (pending) => pending);
  return (
    <Menu items={memberMenuItems({ desktop, hall, managing, navigation, spoken }, member)}>
      <IconButton icon="more" label={`More actions for ${member.name}`} title="More actions" data-testid="member-menu" />
    </Menu>
  );
}
