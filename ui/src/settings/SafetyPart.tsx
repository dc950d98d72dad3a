/** The ways to what decides which tools there are, and for whom. */
import { useHouse } from "../app/house";
import { Button } from "../parts/Button";

export function SafetyPart() {
  const house = useHouse();
  return (
    <>
      <p className="text-sm text-dim">What decides which tools agents get, and how tools are found out, has pages of its own. What was accepted of a member stands on its page, under Review.</p>
      <p className="flex flex-wrap gap-2 pt-1">
        <Button onClick={() => house.openAgents("policies")}>Policies</Button>
        <Button onClick={() => house.openDiscovery()}>Discovery of tools</Button>
        <Button onClick={() => house.openSecrets()}>Secrets</Button>
        <Button onClick={() => house.openDoctor()}>Check this machine</Button>
      </p>
    </>
  );
}
